"use strict";
// Which words or characters of a text another text does not have.
const textDiff = (() => {
  const MOST_CELLS = 4e6; // of the table of an exact diff, which is longest common subsequence
  const LOOK_AHEAD = 60; // pieces, beyond the table

  // Words: white space, a Han or kana character, or a run of others without the punctuation around it.
  const UNSPACED = "\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}";
  const CHUNKS = new RegExp(`\\s+|[${UNSPACED}]|[^\\s${UNSPACED}]+`, "gu");
  const BORDERS = /^([\p{P}\p{S}]*)(.*?)([\p{P}\p{S}]*)$/su;
  const words = (text) => (text.match(CHUNKS) || []).filter((chunk) => chunk.trim()).flatMap((chunk) => {
    const [, before, word, after] = BORDERS.exec(chunk);
    return [...before, ...(word ? [word] : []), ...after];
  });
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const characters = (text) => Array.from(graphemes.segment(text), (piece) => piece.segment);

  // Which pieces of each sequence the other has, too, in the same order.
  const common = (own, other) => {
    const marks = [new Uint8Array(own.length), new Uint8Array(other.length)];
    const same = (i, j) => { marks[0][i] = 1; marks[1][j] = 1; };
    let start = 0, end = own.length, otherEnd = other.length;
    while (start < end && start < otherEnd && own[start] === other[start]) { same(start, start); start += 1; }
    while (end > start && otherEnd > start && own[end - 1] === other[otherEnd - 1]) { end -= 1; otherEnd -= 1; same(end, otherEnd); }
    const rows = end - start, columns = otherEnd - start;
    (rows * columns <= MOST_CELLS ? longest : greedy)(own, other, start, rows, columns, same);
    return marks;
  };
  const longest = (own, other, start, rows, columns, same) => {
    const width = columns + 1, table = new Uint16Array((rows + 1) * width);
    for (let i = rows - 1; i >= 0; i -= 1) {
      for (let j = columns - 1; j >= 0; j -= 1) {
        const at = i * width + j;
        table[at] = own[start + i] === other[start + j] ? table[at + width + 1] + 1 : Math.max(table[at + width], table[at + 1]);
      }
    }
    for (let i = 0, j = 0; i < rows && j < columns;) {
      if (own[start + i] === other[start + j]) { same(start + i, start + j); i += 1; j += 1; }
      else if (table[(i + 1) * width + j] >= table[i * width + j + 1]) i += 1;
      else j += 1;
    }
  };
  // For very long texts: from a difference on to the nearest pieces that are the same again.
  const greedy = (own, other, start, rows, columns, same) => {
    let i = 0, j = 0;
    while (i < rows && j < columns) {
      let ahead = 0, right = 0;
      search: for (; ahead <= LOOK_AHEAD; ahead += 1) {
        for (right = 0; right <= ahead; right += 1) {
          if (i + ahead - right < rows && j + right < columns && own[start + i + ahead - right] === other[start + j + right]) break search;
        }
      }
      if (ahead > LOOK_AHEAD) { i += 1; j += 1; continue; }
      i += ahead - right; j += right;
      same(start + i, start + j); i += 1; j += 1;
    }
  };

  // A layer is a stretch of a text that stands out, for a reason that its class names: `start` to `end` in UTF-16.
  const differences = (text, other, split, className) => {
    const own = split(text), theirs = split(other), [marks] = common(own, theirs);
    const layers = [];
    let at = 0;
    own.forEach((piece, place) => {
      const start = at < text.length && split === words ? text.indexOf(piece, at) : at;
      at = start + piece.length;
      if (marks[place]) return;
      const last = layers[layers.length - 1];
      if (last && last.place === place - 1) { last.end = at; last.place = place; } else layers.push({ start, end: at, place, className });
    });
    return { layers, shared: marks.reduce((sum, mark) => sum + mark, 0) };
  };
  return { words, characters, differences };
})();
