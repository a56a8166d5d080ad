"use strict";
(() => {
  const root = document.documentElement;
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
    root.dataset.script = "runs";
  }

  // Tables are sorted by a click on a heading; rows without a value stay last.
  const sortTable = (table, column, header) => {
    const descending = header.getAttribute("aria-sort") !== "descending";
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
