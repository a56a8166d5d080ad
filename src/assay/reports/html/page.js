"use strict";
(() => {
  const root = document.documentElement;
  root.dataset.script = "runs";
  const say = (text) => { document.getElementById("status").textContent = text; };

  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const themeButton = document.querySelector("[data-action=theme]");
  const showTheme = () => { themeButton.textContent = isDark() ? "Light" : "Dark"; };
  themeButton.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; showTheme(); });
  showTheme();
  document.querySelector("[data-action=print]").addEventListener("click", () => print());

  // Copying: the Clipboard interface is missing from pages opened from a file in some browsers.
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); return true; } catch (error) { return false; }
  };
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      if (await copy(source.textContent)) { say("Copied."); button.textContent = "Copied"; return; }
      getSelection().selectAllChildren(source);
      say("Selected. Press Control and C to copy.");
    });
  }

  // Figures can be saved: the drawing that is shown, in the colours of the page. The link leads to a file in memory.
  const save = (figure, file) => {
    const drawing = [...figure.querySelectorAll(".wide svg, .narrow svg")].find((svg) => svg.getBoundingClientRect().width > 0);
    const colours = getComputedStyle(root);
    const text = new XMLSerializer().serializeToString(drawing).replace(/var\((--[\w-]+)\)/g, (_, name) => colours.getPropertyValue(name).trim());
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    link.download = `${file}.svg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    say(`Saved as ${file}.svg.`);
  };
  document.querySelectorAll("figure[data-name]").forEach((figure, number) => {
    const title = figure.querySelector("h3");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button save";
    button.textContent = "SVG";
    button.title = "Save as SVG";
    button.setAttribute("aria-label", `Save as SVG: ${title.textContent}`);
    button.addEventListener("click", () => save(figure, `${figure.dataset.name}-${number + 1}`));
    title.append(" ", button);
  });

  // One of several panels is shown, chosen by radio buttons.
  for (const choices of document.querySelectorAll("[data-panels]")) {
    const show = () => {
      for (const input of choices.querySelectorAll("input")) {
        document.getElementById(`${choices.dataset.panels}-${input.value}`).hidden = !input.checked;
      }
    };
    choices.addEventListener("change", show);
    show();
  }

  // A cell of a table of pairs is chosen by mouse, Enter or the arrow keys; the pair is described beside the table.
  const quote = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\"'\"'")}'`);
  const pairCommand = ({ words, patterns }, first, second, systems) => [
    ...words.filter(([, system]) => system === null || system === first || system === second).map(([word]) => word),
    ...(patterns ? ["--systems", quote(`${patterns[first]},${patterns[second]}`)] : []), "--baseline", quote(systems[second]),
  ];
  const describePairs = (block) => {
    const data = JSON.parse(document.getElementById(block.dataset.details).textContent);
    const tables = [...block.querySelectorAll("table")].filter((table) => table.querySelector("[data-pair]"));
    const details = block.querySelector(".details"), part = (name) => details.querySelector(`[data-detail=${name}]`);
    const pairOf = (cell) => data.pairs[Number(cell.dataset.pair)];
    const cellsOf = (row) => [...row.cells].filter((cell) => cell.dataset.pair !== undefined);

    const describe = (cell) => {
      const [score, first, second, difference, facts, sentence] = pairOf(cell), { name: label, metric, higher } = data.scores[score];
      part("first").textContent = data.systems[first];
      part("second").textContent = data.systems[second];
      part("score").textContent = `${label}, in favour of ${data.systems[first]}${higher ? "" : " (lower scores are better)"}`;
      part("difference").textContent = data.texts[difference];
      part("sentence").textContent = data.texts[sentence];
      part("facts").replaceChildren(...facts.flatMap((fact, place) => [["dt", data.facts[place]], ["dd", data.texts[fact]]]).map(([tag, text]) => {
        const node = document.createElement(tag);
        node.textContent = text;
        return node;
      }));
      part("segments").hidden = !data.viewer;
      const button = part("segments").querySelector("button");
      Object.assign(button.dataset, { viewerId: data.viewer || "", first: data.systems[first], second: data.systems[second], metric });
      part("command").hidden = !data.command;
      if (data.command) {
        part("command").querySelector("pre").replaceChildren(...pairCommand(data.command, first, second, data.systems).flatMap((word, place) => {
          const node = document.createElement("span"); // is not broken at its hyphens
          node.textContent = word;
          return place ? [" ", node] : [node];
        }));
      }
      part("command").querySelector("button").textContent = "Copy";
      details.hidden = false;
    };
    const mark = (table, chosen) => {
      for (const cell of table.querySelectorAll("[data-pair]")) {
        cell.setAttribute("aria-selected", String(cell === chosen));
        cell.tabIndex = cell === chosen ? 0 : -1;
      }
    };
    // The other tables have the same pair chosen when they are shown.
    const choose = (cell) => {
      const [, first, second] = pairOf(cell), isSame = (other) => pairOf(other).slice(1, 3).every((place) => place === first || place === second);
      for (const table of tables) mark(table, table.contains(cell) ? cell : [...table.querySelectorAll("[data-pair]")].find(isSame));
      describe(cell);
    };
    const chosen = () => tables.filter((table) => table.offsetParent).map((table) => table.querySelector("[aria-selected=true]"))[0];
    const nextCell = (cell, key, toEnd) => {
      const rows = [...cell.closest("tbody").rows], row = cell.parentElement, cells = cellsOf(row), at = cells.indexOf(cell);
      const below = rows.slice(rows.indexOf(row) + 1), above = rows.slice(0, rows.indexOf(row)).reverse();
      const inColumn = (others) => others.map((other) => other.cells[cell.cellIndex]).find((other) => other.dataset.pair !== undefined);
      return {
        ArrowRight: () => cells[at + 1], ArrowLeft: () => cells[at - 1], ArrowDown: () => inColumn(below), ArrowUp: () => inColumn(above),
        Home: () => cellsOf(toEnd ? rows[0] : row)[0], End: () => cellsOf(toEnd ? rows[rows.length - 1] : row).pop(),
        Enter: () => cell, " ": () => cell,
      }[key]?.();
    };
    for (const table of tables) {
      table.setAttribute("role", "grid");
      table.addEventListener("click", (event) => { const cell = event.target.closest("[data-pair]"); if (cell) { choose(cell); cell.focus(); } });
      table.addEventListener("keydown", (event) => {
        const cell = event.target.closest("[data-pair]"), next = cell && !event.altKey && nextCell(cell, event.key, event.ctrlKey);
        if (!next) return;
        event.preventDefault();
        choose(next);
        next.focus();
      });
    }
    choose(tables[0].querySelector("[data-pair]"));
    document.addEventListener("change", (event) => { if (event.target.closest("[data-panels]") && chosen()) describe(chosen()); });
  };
  document.querySelectorAll("[data-details]").forEach(describePairs);

  // A table that goes on to the right fades there.
  const showMore = (area) => area.classList.toggle("more", area.scrollLeft + area.clientWidth < area.scrollWidth - 1);
  const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => showMore(target.closest(".scroll"))));
  for (const area of document.querySelectorAll(".scroll")) {
    area.addEventListener("scroll", () => showMore(area), { passive: true });
    resized.observe(area);
    [...area.children].forEach((table) => resized.observe(table));
  }

  // Tables are sorted by a click on a heading, the best first; rows without a value stay last.
  const sortTable = (table, column, header) => {
    const descending = header.hasAttribute("aria-sort") ? header.getAttribute("aria-sort") !== "descending" : header.dataset.best !== "lowest";
    for (const other of table.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const value = (row) => {
      const order = row.cells[column].dataset.order;
      return order === undefined ? null : Number(order);
    };
    const compare = (one, two) => {
      const [x, y] = [value(one), value(two)];
      if (x === null || y === null) return (x === null) - (y === null);
      return descending ? y - x : x - y;
    };
    const body = table.tBodies[0];
    body.append(...[...body.rows].sort(compare));
    say(`Sorted by ${header.textContent}, ${descending ? "highest" : "lowest"} first.`);
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const headers = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
    headers.forEach((header, column) => {
      if (!header.classList.contains("number")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => sortTable(table, column, header));
    });
  }

  // The list of contents marks the section that is being read.
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.hash.slice(1), link]));
  const visible = new Set();
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) { if (entry.isIntersecting) visible.add(entry.target.id); else visible.delete(entry.target.id); }
    const current = [...links.keys()].find((id) => visible.has(id));
    for (const [id, link] of links) { if (id === current) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current"); }
  }, { rootMargin: "-10% 0px -60% 0px" });
  for (const section of document.querySelectorAll("main > section")) watch.observe(section);
})();
