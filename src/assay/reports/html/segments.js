"use strict";
// The viewer of segments. Texts and names are data: they reach the page through text nodes and attributes only.
(() => {
  const MOST_ROWS = 200; // in the page at once
  const MOST_GROUPS = 30;
  const FEW = 30; // segments of a group, too few for a statement about it
  const LONG = 700; // characters of a text that is folded
  const BINS = 20; // of the histogram, on each side of zero
  const NO_TEXT = "not in this file";
  const SHORT = 12; // characters of a name that is never broken

  const { words, characters, differences } = textDiff;

  const element = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const shape = (tag, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    Object.entries(attributes).forEach(([key, each]) => node.setAttribute(key, each));
    return node;
  };
  // Long names may be broken after punctuation and before a capital letter inside a word.
  const PARTS = /(?<=[-_./:+@])(?=.)|(?<=[a-z0-9])(?=[A-Z])/;
  const name = (text, className = "") => {
    const node = element("bdi", text.length > SHORT ? className : `${className} whole`.trim());
    (text.length > SHORT ? text.split(PARTS) : [text]).forEach((piece, place) => { if (place) node.append(element("wbr")); node.append(piece); });
    return node;
  };
  const count = (number) => number.toLocaleString("en");
  const noun = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;
  const floats = (packed) => Float64Array.from(new Float32Array(Uint8Array.from(atob(packed), (byte) => byte.charCodeAt(0)).buffer));
  const dataOf = (id) => JSON.parse(document.getElementById(id).textContent);

  const matches = (text, pattern, describe) => Array.from(text.matchAll(pattern), (match) => ({
    start: match.index, end: match.index + match[0].length, ...describe(match[0]),
  })).filter((layer) => layer.end > layer.start);
  // Controls and marks of direction would change how the text around them looks.
  const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
  const codePoint = (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  const controls = (text) => matches(text, CONTROLS, (control) => ({ className: "control", shown: codePoint(control), label: codePoint(control) }));

  const paint = (node, text, layers) => {
    const sorted = [...layers, ...controls(text)].sort((x, y) => x.start - y.start);
    const cuts = [...new Set([0, text.length, ...sorted.flatMap((layer) => [layer.start, Math.min(layer.end, text.length)])])].sort((x, y) => x - y);
    let active = [], upcoming = 0;
    for (let cut = 0; cut + 1 < cuts.length; cut += 1) {
      const [start, end] = [cuts[cut], cuts[cut + 1]];
      while (upcoming < sorted.length && sorted[upcoming].start <= start) { active.push(sorted[upcoming]); upcoming += 1; }
      active = active.filter((layer) => layer.end > start);
      const control = active.find((layer) => layer.shown);
      const piece = control ? control.shown : text.slice(start, end);
      if (!active.length) { node.append(piece); continue; }
      const mark = element("mark", [...new Set(active.map((layer) => layer.className))].join(" "), piece);
      const labels = active.filter((layer) => layer.label).map((layer) => layer.label);
      if (labels.length) mark.title = labels.join("; ");
      node.append(mark);
    }
  };
  // Raters' tools count characters as code points.
  const offset = (text, place) => {
    let at = 0;
    for (let points = 0; points < place && at < text.length; points += 1) at += text.codePointAt(at) > 0xffff ? 2 : 1;
    return at;
  };

  const viewer = (root) => {
    const data = dataOf(`${root.dataset.viewer}-data`), comparisons = data.tests.map(dataOf);
    const texts = data.texts;
    const metrics = data.metrics.map((metric) => {
      const scores = metric.scores.map(floats);
      metric.exact.forEach(([place, segment, score]) => { scores[place][segment] = score; });
      return { ...metric, scores };
    });
    const control = (which) => root.querySelector(`[data-control="${which}"]`);
    const part = (which) => root.querySelector(`[data-part="${which}"]`);
    const value = (which, otherwise = "") => (control(which) ? control(which).value : otherwise);
    const filters = [...root.querySelectorAll("[data-filter]")];
    const list = part("list");
    let subset = null; // segments that another part of the page asked for
    let quoted = null; // the words that they are about
    let found = [], start = 0; // the segments that meet all conditions, and the first of them that is shown
    let isPrinting = false;
    let paired = []; // the places of A and B

    const fill = (select, options) => select.replaceChildren(...options.map(([optionValue, text]) => {
      const option = element("option", "", text);
      option.value = optionValue;
      return option;
    }));
    const system = (which) => Number(value(which));
    const isPair = () => data.systems.length > 1 && system("a") !== system("b");
    const metric = () => metrics[Number(value("metric"))];
    // As Python writes them: a difference has its sign, and more decimals where these would show zero.
    const shown = (number, signed) => {
      if (Number.isNaN(number)) return "–";
      const { decimals } = metric(), digits = (signed && [decimals, 2, 3, 4].find((each) => each >= decimals && Number(number.toFixed(each)) !== 0)) || decimals;
      const text = Math.abs(number).toFixed(digits);
      return (Number(text) === 0 ? "" : number < 0 ? "−" : signed ? "+" : "") + text;
    };

    const nameOptions = () => {
      const [a, b] = [data.systems[system("a")], data.systems[system("b")]];
      const better = isPair() ? [["a", `${a} better`], ["b", `${b} better`], ["same", "same score"], ["output", "same output"]] : [];
      const byDifference = isPair() ? [["a", `${a} better by most`], ["b", `${b} better by most`], ["apart", "largest difference"]] : [];
      const keep = (which, options) => {
        const before = value(which);
        fill(control(which), options);
        if (options.some(([option]) => option === before)) control(which).value = before;
      };
      keep("show", [["", "all"], ...better.filter(([key]) => texts || key !== "output")]);
      keep("order", [...byDifference, ["order", "as in the test set"], ["low", `lowest score of ${a}`], ["high", `highest score of ${a}`],
        ...(lengths ? [["short", "shortest first"], ["long", "longest first"]] : [])]);
      keep("scored", [["a", a], ...(isPair() ? [["b", b], ["difference", `${a}, better by`]] : [])]);
    };

    const lengthOf = (segment) => {
      const columns = [...texts.references.map(([, column]) => column), ...(texts.source ? [texts.source] : []), ...texts.outputs];
      const column = columns.find((each) => typeof each[segment] === "string");
      return column ? column[segment].length : 0;
    };
    const lengths = texts ? Float64Array.from({ length: data.embedded }, (_, segment) => lengthOf(segment)) : null;

    // How much better A is than B in each segment: positive also where lower scores are better.
    const betterBy = () => {
      const own = metric().scores[system("a")], other = metric().scores[system("b")], sign = metric().higher ? 1 : -1;
      return isPair() ? own.map((score, segment) => sign * (score - other[segment])) : own.map(() => NaN);
    };

    const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    const pattern = () => {
      const query = value("search").trim();
      return query ? new RegExp(escaped(query), "giu") : null;
    };
    const searched = () => [...(texts.source ? [texts.source] : []), ...texts.references.map(([, column]) => column),
      ...(value("others") ? texts.outputs : [...new Set([system("a"), system("b")])].map((place) => texts.outputs[place]))];

    // The conditions that a segment must meet, each a function of its number; without a filter there is none.
    const conditions = (differenceOf) => {
      const all = [];
      if (subset) all.push((segment) => subset.has(segment));
      filters.forEach((select) => {
        if (!select.value) return;
        const of = data.groupings[Number(select.dataset.filter)].of, label = Number(select.value);
        all.push((segment) => of[segment] === label);
      });
      const show = value("show");
      if (show === "a") all.push((segment) => differenceOf[segment] > 0);
      if (show === "b") all.push((segment) => differenceOf[segment] < 0);
      if (show === "same") all.push((segment) => differenceOf[segment] === 0);
      if (show === "output") {
        const [own, other] = [texts.outputs[system("a")], texts.outputs[system("b")]];
        all.push((segment) => own[segment] !== undefined && own[segment] === other[segment]);
      }
      const scored = value("scored") === "difference" ? differenceOf : metric().scores[system(value("scored") === "b" ? "b" : "a")];
      if (value("low") !== "") { const low = Number(value("low")); all.push((segment) => scored[segment] >= low); }
      if (value("high") !== "") { const high = Number(value("high")); all.push((segment) => scored[segment] <= high); }
      const wanted = pattern();
      if (wanted) {
        const columns = searched(), once = new RegExp(wanted.source, "iu");
        all.push((segment) => columns.some((column) => typeof column[segment] === "string" && once.test(column[segment])));
      }
      return all;
    };

    const orderKeys = (differenceOf) => {
      const scores = metric().scores[system("a")];
      return {
        a: (segment) => -differenceOf[segment], b: (segment) => differenceOf[segment], apart: (segment) => -Math.abs(differenceOf[segment]),
        low: (segment) => scores[segment], high: (segment) => -scores[segment],
        short: (segment) => (segment < lengths.length ? lengths[segment] : NaN), long: (segment) => (segment < lengths.length ? -lengths[segment] : NaN),
      }[value("order")];
    };

    const select = () => {
      const differenceOf = betterBy(), all = conditions(differenceOf);
      found = [];
      for (let segment = 0; segment < data.segments; segment += 1) {
        if (all.every((holds) => holds(segment))) found.push(segment);
      }
      const keyOf = orderKeys(differenceOf);
      if (keyOf) {
        const keys = Float64Array.from({ length: data.segments }, () => NaN);
        found.forEach((segment) => { const key = keyOf(segment); keys[segment] = Number.isNaN(key) ? Infinity : key; }); // undefined last
        found.sort((x, y) => (keys[x] === keys[y] ? x - y : keys[x] < keys[y] ? -1 : 1));
      }
      start = 0;
      summarise(differenceOf);
      draw();
    };

    // The chosen pair, which the verdict need not be about: its tested differences, and those of single segments.
    const pairFigures = () => {
      const [a, b] = [system("a"), system("b")];
      const rows = comparisons.flatMap((comparison) => testsOf(comparison, data.systems[a], data.systems[b]));
      const isVerdict = data.pair.includes(a) && data.pair.includes(b), link = element("a", "", "verdict");
      link.href = "#verdict";
      part("tested").replaceChildren(...(isPair() && comparisons.length ? [
        ...(rows.length ? [] : ["This pair was not tested. "]),
        ...(isVerdict ? [] : ["The ", link, " and the figures above are about ", name(data.systems[data.pair[0]], "name"), " and ", name(data.systems[data.pair[1]], "name"),
          "; from here on, all is about ", name(data.systems[a], "a name"), " and ", name(data.systems[b], "b name"), "."]),
      ] : []));
      part("tests").hidden = !isPair() || !rows.some(({ drawn }) => drawn);
      if (!part("tests").hidden) drawTests(rows);
      drawHistogram();
    };
    // All tested differences of a pair, in favour of the first of the two: texts, and numbers to draw.
    const testsOf = ({ systems, scores, texts: said, pairs }, first, second) => {
      const places = [systems.indexOf(first), systems.indexOf(second)];
      return pairs.filter(([, one, two]) => places.includes(one) && places.includes(two)).map(([score, one, , difference, [interval, p], , drawn, isShown, turned]) => {
        const isSame = one === places[0], shownTexts = isSame ? [difference, interval] : turned;
        const numbers = drawn && (isSame ? drawn : [-drawn[0], ...drawn.slice(1).map((end) => -end).reverse()]);
        return { ...scores[score], isShown, drawn: numbers, difference: said[shownTexts[0]], interval: said[shownTexts[1]], p: said[p] };
      });
    };
    const title = (figure, ...pieces) => figure.querySelector("h3").replaceChildren(...pieces);
    const bothNames = (between) => [name(data.systems[system("a")], "a name"), between, name(data.systems[system("b")], "b name")];

    const drawTests = (rows) => {
      const figure = part("tests"), table = figure.querySelector("table"), isDrawn = rows.some(({ drawn }) => drawn && drawn.length > 1);
      title(figure, "How far apart are ", ...bothNames(" and "), "?");
      const lower = [...new Set(rows.filter(({ higher }) => !higher).map((row) => row.metric))];
      figure.querySelector(".subtitle").textContent = `In favour of ${data.systems[system("a")]}, with intervals, each metric on its own scale${lower.length ? `; lower is better for ${lower.join(", ")}, which is reversed` : ""}. ${comparisons[0].legend}`;
      table.caption.textContent = `${data.systems[system("a")]} against ${data.systems[system("b")]}`;
      // Points of two metrics cannot be compared: what is drawn are shares of the largest difference of the same metric.
      const ends = (metricName) => rows.filter((row) => row.metric === metricName).flatMap(({ drawn }) => drawn || []);
      const lanes = rows.map(({ drawn, ...row }) => {
        const size = Math.max(...ends(row.metric).map(Math.abs)) || 1;
        return { ...row, shares: drawn && drawn.map((end) => end / size) };
      });
      const all = lanes.flatMap(({ shares }) => shares || []), [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
      const at = (share) => `${(3 + 94 * ((share - low) / (high - low || 1))).toFixed(1)}%`;
      const header = element("tr");
      for (const [text, className] of [["Score", ""], ...(isDrawn ? [["", "lane"]] : []), ["Better by", "number"], ["Interval", "number"], ["p", "number"]]) {
        const head = element("th", className, text);
        head.scope = "col";
        header.append(head);
      }
      table.tHead.replaceChildren(header);
      table.tBodies[0].replaceChildren(...rows.map((row, place) => {
        const line = element("tr"), label = element("th"), look = !row.isShown ? "unshown" : row.drawn[0] > 0 ? "a" : "b";
        label.scope = "row";
        label.append(name(row.name));
        line.append(label);
        if (isDrawn) { const lane = element("td", "lane"); lane.append(drawLane(lanes[place], at, look)); line.append(lane); }
        line.append(element("td", `number strong ${look}`, row.difference), element("td", "number muted", row.interval), element("td", "number", row.p));
        return line;
      }));
    };
    const drawLane = ({ shares, corpus }, at, look) => {
      const svg = shape("svg", { class: "drawn", width: 140, height: 24, "aria-hidden": "true" });
      svg.append(shape("line", { class: "zero", x1: at(0), x2: at(0), y1: 0, y2: 24 }));
      if (!shares) return svg;
      const [value, low, high] = shares, mark = shape("g", { class: `mark ${look}${corpus ? "" : " hollow"}` });
      if (low !== undefined) mark.append(shape("line", { x1: at(low), x2: at(high), y1: 12, y2: 12 }));
      mark.append(shape("circle", { cx: at(value), cy: 12, r: 3.5 }));
      svg.append(mark);
      return svg;
    };

    // Bins of equal width with zero at the border of two; equal scores are counted in words.
    const drawHistogram = () => {
      const figure = part("histogram"), all = betterBy().filter((difference) => !Number.isNaN(difference));
      const widest = all.reduce((most, difference) => Math.max(most, Math.abs(difference)), 0);
      figure.hidden = !isPair() || !widest;
      if (figure.hidden) return;
      const bins = new Array(2 * BINS).fill(0), [a, b] = [data.systems[system("a")], data.systems[system("b")]];
      let better = 0, worse = 0, sum = 0;
      for (const difference of all) {
        sum += difference;
        if (difference > 0) better += 1; else if (difference < 0) worse += 1; else continue;
        bins[Math.min(2 * BINS - 1, Math.floor((difference / widest + 1) * BINS))] += 1;
      }
      title(figure, "In which segments is ", ...bothNames(" or "), " better?");
      figure.querySelector(".subtitle").textContent = `${metric().name} of ${noun(all.length, "segment")}: ${a} (blue, right) is better in ${count(better)}, ${b} (orange, left) in ${count(worse)}; `
        + `${count(all.length - better - worse)} with equal scores are not drawn. Dashed: the mean.`;
      const [width, height, base] = [480, 150, 126], tallest = Math.max(...bins), bin = width / bins.length, at = (difference) => (width / 2) * (1 + difference / widest);
      const svg = shape("svg", { class: "drawn", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
      bins.forEach((segments, place) => {
        if (!segments) return;
        const tall = ((base - 8) * segments) / tallest, bar = shape("rect", { x: place * bin + 0.5, y: base - tall, width: bin - 1, height: tall, class: place < BINS ? "fill-b" : "fill-a" });
        const words = shape("title", {}), from = (place / BINS - 1) * widest;
        words.textContent = `${shown(from, true)} to ${shown(from + widest / BINS, true)}: ${noun(segments, "segment")}`;
        bar.append(words);
        svg.append(bar);
      });
      svg.append(shape("line", { class: "zero", x1: 0, x2: width, y1: base, y2: base }),
        shape("line", { class: "zero dashed", x1: at(sum / all.length), x2: at(sum / all.length), y1: 0, y2: base }));
      [[0, "start", shown(-widest, true)], [width / 2, "middle", "0"], [width, "end", shown(widest, true)]].forEach(([x, anchor, text]) => {
        const label = shape("text", { x, y: base + 18, "text-anchor": anchor });
        label.textContent = text;
        svg.append(label);
      });
      figure.querySelector("[role=img]").setAttribute("aria-label", figure.querySelector(".subtitle").textContent);
      figure.querySelector("[role=img]").replaceChildren(svg);
    };

    const summarise = (differenceOf) => {
      part("count").textContent = found.length === data.segments ? noun(found.length, "segment") : `${count(found.length)} of ${noun(data.segments, "segment")}`;
      let better = 0, worse = 0, same = 0, sum = 0;
      for (const segment of found) {
        const difference = differenceOf[segment];
        if (Number.isNaN(difference)) continue;
        sum += difference;
        if (difference > 0) better += 1; else if (difference < 0) worse += 1; else same += 1;
      }
      const scored = better + worse + same, isChosenByScore = ["low", "high"].some((which) => value(which) !== "") || ["a", "b", "same"].includes(value("show"));
      part("summary").replaceChildren(...(isPair() && scored ? [
        `${metric().name}, mean of segment scores: ${shown(sum / scored, true)} in favour of `, name(data.systems[system("a")], "a name"),
        isChosenByScore ? ", in segments that were chosen by their scores: this says nothing about the systems. " : ". ", name(data.systems[system("a")], "a name"), ` better in ${noun(better, "segment")}, `,
        name(data.systems[system("b")], "b name"), ` in ${count(worse)}, same score in ${count(same)}.`,
      ] : []));
      part("subset").hidden = !subset;
      root.querySelector("[data-action=reset]").hidden = found.length === data.segments;
    };

    // One row for each group of segments: how the pair scores there, and a way to its segments.
    const groups = () => {
      if (!control("grouping")) return;
      const place = control("grouping").selectedIndex, { labels, of, name: grouping } = data.groupings[place];
      const [own, other] = [metric().scores[system("a")], metric().scores[system("b")]], sign = metric().higher ? 1 : -1;
      const rows = labels.map((label, number) => ({ label, number, n: 0, own: 0, other: 0 }));
      for (let segment = 0; segment < data.segments; segment += 1) {
        if (Number.isNaN(own[segment]) || Number.isNaN(other[segment])) continue;
        const row = rows[of[segment]];
        row.n += 1; row.own += own[segment]; row.other += other[segment];
      }
      rows.forEach((row) => { row.own /= row.n; row.other /= row.n; row.better = sign * (row.own - row.other); });
      const many = rows.length > MOST_GROUPS;
      if (many) rows.sort((x, y) => (Math.abs(y.better) || 0) - (Math.abs(x.better) || 0) || x.number - y.number);
      const kept = rows.slice(0, MOST_GROUPS);
      const better = (row) => (Number.isNaN(row.better) ? -Infinity : row.better);
      if (grouping !== "length") kept.sort((x, y) => (better(x) === better(y) ? x.number - y.number : better(y) - better(x)));
      drawGroups(kept, place, grouping, many ? rows.length : 0);
    };
    const drawGroups = (rows, place, grouping, all) => {
      const table = root.querySelector(".groups"), [a, b] = [data.systems[system("a")], data.systems[system("b")]];
      const pair = isPair(), widest = Math.max(...rows.map((row) => Math.abs(row.better) || 0)) || 1;
      const unit = grouping === "length" ? " (characters of the reference)" : "";
      table.caption.textContent = `${metric().name}, mean of segment scores${metric().higher ? "" : "; lower is better"}.`
        + (all ? ` The ${rows.length} of ${count(all)} ${grouping}s with the largest differences.` : "")
        + (rows.some((row) => row.n < FEW) ? ` Grey: fewer than ${FEW} segments.` : "") + (pair ? " Groups are not tested: they may differ by chance." : "");
      const withName = (system, text) => { const node = element("span"); node.append(name(system, "a"), text); return node; };
      const head = (content, className) => { const cell = element("th", className); cell.scope = "col"; cell.append(content); return cell; };
      const header = element("tr");
      header.append(head(grouping[0].toUpperCase() + grouping.slice(1) + unit), head("segments", "number"), head(name(a, "a"), "number"));
      if (pair) header.append(head(name(b, "b"), "number"), head(withName(a, " better by"), "number"), head("← B better   A better →", "bar"));
      table.tHead.replaceChildren(header);
      table.tBodies[0].replaceChildren(...rows.map((row) => {
        const line = element("tr", row.n < FEW ? "few" : ""), title = element("th");
        title.scope = "row";
        const lead = element("button", "lead");
        lead.type = "button";
        lead.append(name(row.label));
        lead.addEventListener("click", () => { filters[place].value = String(row.number); root.querySelector(".more").open = true; select(); part("count").scrollIntoView({ block: "center" }); });
        title.append(lead);
        const cell = (text, className = "number") => element("td", className, text);
        line.append(title, cell(count(row.n)), cell(shown(row.own)));
        if (pair) {
          const bar = cell("", "bar");
          if (row.n) bar.append(drawBar(row.better / widest));
          line.append(cell(shown(row.other)), cell(shown(row.better, true)), bar);
        }
        return line;
      }));
    };
    const drawBar = (share) => {
      const svg = shape("svg", { viewBox: "0 0 200 12", width: 200, height: 12, "aria-hidden": "true" });
      const width = Math.abs(share) * 96;
      svg.append(shape("rect", { x: share < 0 ? 100 - width : 100, y: 2, width, height: 8, class: share < 0 ? "fill-b" : "fill-a" }),
        shape("line", { x1: 100, x2: 100, y1: 0, y2: 12, class: "zero" }));
      return svg;
    };

    const rowsInPage = () => (isPrinting ? MOST_ROWS : Math.min(MOST_ROWS, Number(value("rows", "50"))));
    const draw = () => {
      const visible = found.slice(start, start + rowsInPage()), wanted = pattern() || quoted;
      list.replaceChildren(...visible.map((segment) => article(segment, wanted)));
      part("range").textContent = found.length ? `${count(start + 1)}–${count(start + visible.length)} of ${count(found.length)}` : "No segment meets all conditions.";
      part("legend").replaceChildren(...(texts ? legend() : []));
      root.querySelector("[data-action=previous]").disabled = start === 0;
      root.querySelector("[data-action=next]").disabled = start + visible.length >= found.length;
    };

    const legend = () => {
      if (value("mark") === "errors") return ["Marked: what raters marked; dotted minor errors, double major and critical ones."];
      if (marksLabels()) return labelLegend();
      if (!value("mark")) return [];
      const other = value("against") === "other" ? "the output of the other system" : control("against").selectedOptions[0].textContent;
      return [`Marked: ${value("mark")} of an output that ${other} does not have. What an output lacks is not marked.`];
    };
    const labelLegend = () => {
      const { names, reference_only: referenceOnly, metric: metricName } = data.labels;
      const sample = (text, look) => element("mark", `label ${look}`, text);
      const classes = names.flatMap((label, place) => [place ? ", " : " ", sample(label, labelLook(place)), ...(referenceOnly.includes(label) ? [" (only in the reference)"] : [])]);
      const sides = [sample(data.systems[system("a")], "of-a"), ", ", sample(data.systems[system("b")], "of-b"), " or ", sample("both", "of-a of-b")];
      return [`Error classes of ${metricName}:`, ...classes, ".",
        ...(isPair() ? [" The colour of a word of the reference says which output it is compared with: ", ...sides, "; the line is plain where the classes differ."] : [])];
    };
    const article = (segment, wanted) => {
      const node = element("article", "segment");
      node.id = `${root.dataset.viewer}-${segment + 1}`;
      node.tabIndex = -1;
      node.setAttribute("aria-label", `Segment ${segment + 1}`);
      node.append(heading(segment));
      const isEmbedded = texts && segment < data.embedded;
      if (isEmbedded) {
        const given = element("div", "cells");
        if (texts.source) given.append(source(segment, wanted));
        const references = element("div", "references");
        texts.references.forEach(([reference, column], number) => {
          const label = texts.references.length > 1 ? `Reference ${reference}` : "Reference";
          references.append(cell(label, "", column[segment], comparedLabels(segment, number), data.languages[1], wanted));
        });
        given.append(references);
        node.append(given);
      }
      const outputs = element("div", "cells");
      const pair = isPair() ? [system("a"), system("b")] : [system("a")];
      const others = value("others") ? data.systems.map((_, place) => place).filter((place) => !pair.includes(place)) : [];
      [...pair, ...others].forEach((place) => outputs.append(output(segment, place, pair, wanted, isEmbedded)));
      node.append(outputs);
      if (isEmbedded) fold(node);
      return node;
    };
    // What a link to a segment keeps, so that it shows what its sender saw.
    const chosen = () => new URLSearchParams({ a: data.systems[system("a")], b: data.systems[system("b")], metric: metric().name });
    const heading = (segment) => {
      const header = element("header"), link = element("a", "permalink", "link");
      header.append(element("b", "", `Segment ${segment + 1}`));
      if (data.names.length) header.append(name(data.names[segment], "muted"));
      data.groupings.forEach(({ name: grouping, labels, of }) => { if (grouping !== "length") header.append(name(labels[of[segment]])); });
      if (isPair()) {
        const [own, other] = [metric().scores[system("a")][segment], metric().scores[system("b")][segment]];
        const better = (own - other) * (metric().higher ? 1 : -1);
        const said = element("span", "better");
        if (Number.isNaN(better)) said.append(`no ${metric().name} difference`);
        else if (better === 0) said.append(`same ${metric().name}`);
        else said.append(name(data.systems[system(better > 0 ? "a" : "b")], `name ${better > 0 ? "a" : "b"}`), ` better by ${shown(Math.abs(better))} ${metric().name}`);
        header.append(said);
      }
      link.href = `#${root.dataset.viewer}-${segment + 1}?${chosen()}`;
      link.setAttribute("aria-label", `Link to segment ${segment + 1}`);
      header.append(link);
      return header;
    };
    const cell = (label, className, text, layers, language, wanted, errors = []) => {
      const node = element("div", "cell"), title = element("p", "who");
      title.append(name(label, `name ${className}`));
      node.append(title);
      if (text === undefined) return node;
      if (text === null || text === "") { node.append(element("p", "text muted", text === null ? "none" : "empty")); return node; }
      const body = element("bdi", "text");
      body.dir = "auto";
      if (language) body.lang = language;
      paint(body, text, [...layers, ...(wanted ? matches(text, wanted, () => ({ className: "hit" })) : [])]);
      node.append(body);
      if (errors.length) node.append(errorList(text, errors));
      return node;
    };
    const source = (segment, wanted) => {
      const errors = value("mark") === "errors" ? [...new Set([system("a"), system("b")])].flatMap((place) => errorsOf(segment, place)).filter((error) => error.inSource) : [];
      const text = texts.source[segment];
      return cell("Source", "", text, errorLayers(text, errors), data.languages[0], wanted, errors);
    };
    const output = (segment, place, pair, wanted, isEmbedded) => {
      const side = ["a", "b"][pair.indexOf(place)] || "";
      const text = isEmbedded ? texts.outputs[place][segment] : undefined;
      const marksErrors = isEmbedded && value("mark") === "errors";
      const errors = marksErrors ? errorsOf(segment, place).filter((error) => !error.inSource) : [];
      const labels = outputLabels(segment, place, text);
      const layers = typeof text !== "string" ? [] : marksErrors ? errorLayers(text, errors) : [...labels, ...diffLayers(segment, place, pair, text, side)];
      const node = cell(data.systems[place], side, text, layers, data.languages[1], wanted, errors);
      if (marksErrors && !errors.length) node.append(element("p", "note", isRated(segment, place) ? "No error marked." : "Not rated."));
      const listed = [...labels, ...referenceLabels(segment, place).filter((layer) => data.labels.reference_only.includes(layer.name))];
      if (listed.length) node.append(labelList(listed));
      node.querySelector(".who").append(scoresOf(segment, place, pair));
      if (texts && !isEmbedded) node.append(element("p", "text muted", NO_TEXT));
      return node;
    };
    const scoresOf = (segment, place, pair) => {
      const node = element("span", "scores"), rival = pair.length > 1 && pair.includes(place) ? pair[pair[0] === place ? 1 : 0] : -1;
      metrics.forEach((each) => {
        const score = each.scores[place][segment], other = rival < 0 ? NaN : each.scores[rival][segment];
        const isBetter = each.higher ? score > other : score < other;
        const text = Number.isNaN(score) ? "–" : score.toFixed(each.decimals).replace("-", "−");
        const item = element("span", "score", `${each.name} `), number = element(isBetter ? "b" : "span", "", text);
        number.title = String(score);
        item.append(number);
        node.append(item);
      });
      return node;
    };

    const diffLayers = (segment, place, pair, text, side) => {
      const mark = value("mark"), split = mark === "characters" ? characters : words;
      if (mark !== "words" && mark !== "characters") return [];
      const className = side ? `differs-${side}` : "differs";
      const against = value("against");
      const rivals = against === "other" ? (side && pair.length > 1 ? [texts.outputs[pair[pair[0] === place ? 1 : 0]]] : [texts.outputs[pair[0]]])
        : against === "nearest" ? texts.references.map(([, column]) => column)
          : texts.references.length ? [texts.references[Number(against)][1]] : [];
      const compared = rivals.map((column) => column[segment]).filter((other) => typeof other === "string")
        .map((other) => differences(text, other, split, className));
      const best = Math.max(...compared.map((each) => each.shared));
      return compared.length ? compared.find((each) => each.shared === best).layers : [];
    };

    const errorsOf = (segment, place) => {
      const rows = (data.errors && data.errors.systems[place][segment]) || [];
      return rows.map(([start, end, inSource, severity, category, rater]) => ({
        start, end, inSource: inSource === 1, severity: data.errors.severities[severity], category: data.errors.categories[category], rater: data.errors.raters[rater],
      }));
    };
    const isRated = (segment, place) => data.errors.systems[place][segment] !== undefined;
    const describe = (error) => [error.severity, error.category, error.rater].filter(Boolean).join(" · ");
    const errorLayers = (text, errors) => errors.filter((error) => error.start !== null && typeof text === "string").map((error) => ({
      start: offset(text, error.start), end: offset(text, error.end), label: describe(error),
      className: ["major", "critical"].includes(error.severity) ? "error major" : "error minor",
    })).filter((layer) => layer.end > layer.start);
    const errorList = (text, errors) => {
      const node = element("ul", "errors");
      errors.forEach((error) => {
        const item = element("li"), quoted = error.start === null ? "" : text.slice(offset(text, error.start), offset(text, error.end));
        if (quoted) item.append(name(`“${quoted}”`), " ");
        item.append(describe(error));
        node.append(item);
      });
      return node;
    };

    // Classes that a metric gives to words; those of a reference are in comparison with one output.
    const marksLabels = () => value("mark") === "labels";
    const labelLook = (label) => `label-${label % 5}`;
    const labelLayers = (text, spans, place, from = "") => spans.map(([first, last, label]) => {
      const [start, end] = [offset(text, first), offset(text, last)], side = place === system("a") ? "of-a" : place === system("b") ? "of-b" : "";
      return { start, end, side, name: data.labels.names[label], words: text.slice(start, end), label: `${data.labels.names[label]}${from}`, className: `label ${labelLook(label)} ${side}` };
    });
    const outputLabels = (segment, place, text) => (marksLabels() && text ? labelLayers(text, data.labels.outputs[place][segment] || [], place) : []);
    const referenceLabels = (segment, place, wanted) => {
      const [number, spans] = (marksLabels() && data.labels.references[place][segment]) || [];
      if (spans === undefined || (wanted !== undefined && wanted !== number)) return [];
      return labelLayers(texts.references[number][1][segment], spans, place, ` (${data.systems[place]})`);
    };
    // A word that has one class in comparison with A and another with B has the line of neither.
    const comparedLabels = (segment, number) => {
      const layers = [...new Set([system("a"), system("b")])].flatMap((place) => referenceLabels(segment, place, number));
      const differs = (layer) => layers.some((other) => other.start === layer.start && other.name !== layer.name);
      return layers.map((layer) => (differs(layer) ? { ...layer, className: `label ${layer.side}` } : layer));
    };
    const labelList = (layers) => {
      const node = element("ul", "errors");
      data.labels.names.forEach((label) => {
        const own = layers.filter((layer) => layer.name === label);
        if (!own.length) return;
        const item = element("li", "", `${label}: `);
        item.append(name(own.map((layer) => layer.words).join(", ")));
        node.append(item);
      });
      return node;
    };

    // Long texts of a segment are folded together.
    const fold = (node) => {
      if (![...node.querySelectorAll("bdi.text")].some((text) => text.textContent.length > LONG)) return;
      const button = element("button", "button unfold", "Show all of the text");
      const show = (folded) => { node.classList.toggle("folded", folded); button.setAttribute("aria-expanded", String(!folded)); button.textContent = folded ? "Show all of the text" : "Fold the text"; };
      button.type = "button";
      button.addEventListener("click", () => show(!node.classList.contains("folded")));
      show(true);
      node.append(button);
    };

    const turn = (by) => {
      const to = Math.max(0, start + by * rowsInPage());
      if (to === start || to >= found.length) return false;
      start = to;
      draw();
      return true;
    };
    const step = (by) => {
      const all = [...list.children], at = all.indexOf(document.activeElement.closest ? document.activeElement.closest("article.segment") : null) + by;
      if (at >= 0 && at < all.length) all[at].focus();
      else if (at >= all.length && turn(1)) list.firstElementChild.focus();
      else if (at < 0 && by < 0 && turn(-1)) list.lastElementChild.focus();
    };
    const showAll = () => { subset = null; quoted = null; };
    const clear = () => {
      showAll();
      [...filters, control("search"), control("show"), control("low"), control("high")].forEach((each) => { if (each) each.value = ""; });
    };
    const followPair = () => { nameOptions(); groups(); pairFigures(); };
    const pairUp = (a, b) => { control("a").value = String(a); control("b").value = String(b); paired = [system("a"), system("b")]; followPair(); };
    // Choosing the system of the other side swaps the two.
    const choosePair = () => { if (isPair() || data.systems.length < 2) pairUp(system("a"), system("b")); else pairUp(paired[1], paired[0]); };
    const goTo = (segment) => {
      clear();
      control("order").value = "order";
      select();
      start = segment - (segment % rowsInPage());
      draw();
      const node = document.getElementById(`${root.dataset.viewer}-${segment + 1}`);
      if (node) node.focus();
    };
    const showSubset = ({ showSegments, label, words: tokens, first, second }) => {
      clear();
      pairUp(data.systems.indexOf(first), data.systems.indexOf(second));
      subset = new Set(showSegments.split(" ").map((number) => Number(number) - 1));
      quoted = tokens ? new RegExp(tokens.split(" ").map(escaped).join("\\s*"), "gu") : null; // tokens may stand close together
      part("subset").querySelector("bdi").textContent = label;
      select();
      part("subset").scrollIntoView({ block: "center" });
    };
    const showPair = ({ first, second, metric: wanted }) => {
      clear();
      chooseMetric(wanted);
      pairUp(data.systems.indexOf(first), data.systems.indexOf(second));
      select();
      root.scrollIntoView();
      control("a").focus({ preventScroll: true });
    };
    const chooseMetric = (wanted) => {
      const place = metrics.findIndex((each) => each.name === wanted);
      if (place >= 0) control("metric").value = String(place);
    };
    const followHash = () => {
      const [, segment, query] = new RegExp(`^#${root.dataset.viewer}-(\\d+)(?:\\?(.*))?$`).exec(location.hash) || [];
      if (!segment || Number(segment) > data.segments) return;
      const wanted = new URLSearchParams(query), pair = ["a", "b"].map((which) => data.systems.indexOf(wanted.get(which)));
      chooseMetric(wanted.get("metric"));
      if (!pair.includes(-1)) pairUp(...pair);
      goTo(Number(segment) - 1);
    };

    const printing = (on) => {
      if (on === isPrinting) return;
      isPrinting = on;
      document.documentElement.classList.toggle("print-segments", on);
      root.classList.toggle("printed", on);
      draw();
    };
    const actions = {
      swap: () => { pairUp(control("b").value, control("a").value); select(); },
      reset: () => { clear(); select(); },
      all: () => { showAll(); select(); },
      previous: () => { if (turn(-1)) list.firstElementChild.focus(); },
      next: () => { if (turn(1)) list.firstElementChild.focus(); },
      print: () => { printing(true); print(); },
    };
    root.addEventListener("click", (event) => { const button = event.target.closest("[data-action]"); if (button) actions[button.dataset.action](); });
    root.addEventListener("input", (event) => {
      const { control: which, filter } = event.target.dataset;
      if (which === "grouping") groups();
      else if (which === "a" || which === "b") { choosePair(); select(); }
      else if (which === "metric") { followPair(); select(); }
      else if (which || filter !== undefined) select();
    });

    const systems = data.systems.map((each, place) => [String(place), each]);
    ["a", "b"].forEach((which) => fill(control(which), systems));
    fill(control("metric"), metrics.map((each, place) => [String(place), each.name]));
    filters.forEach((each) => fill(each, [["", "all"], ...data.groupings[Number(each.dataset.filter)].labels.map((label, number) => [String(number), label])]));
    root.classList.toggle("single", data.systems.length < 2);
    root.querySelector(".viewer-body").hidden = false;
    pairUp(data.pair[0], data.pair.length > 1 ? data.pair[1] : data.pair[0]);
    select();
    followHash();
    addEventListener("hashchange", followHash);
    return { root, step, search: () => { if (control("search")) control("search").focus(); }, showSubset, showPair, printing };
  };

  const viewers = [...document.querySelectorAll("[data-viewer]")].map(viewer);
  if (!viewers.length) return;
  addEventListener("afterprint", () => viewers.forEach(({ printing }) => printing(false)));
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-show-segments], [data-show-pair]");
    const target = button && viewers.find(({ root }) => root.dataset.viewer === button.dataset.viewerId);
    if (target) target[button.dataset.showPair === undefined ? "showSubset" : "showPair"](button.dataset);
  });
  // The keys belong to the viewer that is in use, or to the first.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const current = viewers.find(({ root }) => root.contains(document.activeElement)) || viewers[0];
    if (event.key === "j") current.step(1);
    else if (event.key === "k") current.step(-1);
    else if (event.key === "/") { event.preventDefault(); current.search(); }
  });
})();
