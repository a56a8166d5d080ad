"use strict";
(() => {
  // Vega is started when a reader first uses a chart: most readers of most pages never do.
  let library;
  const start = () => library ??= (async () => {
    const packed = Uint8Array.from(atob(document.getElementById("vega-library").textContent), (c) => c.charCodeAt(0));
    const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const script = document.createElement("script");
    script.type = "module";
    script.textContent = await new Response(unpacked).text();
    document.head.append(script);
    for (let waited = 0; !window.vegaEmbed; waited += 1) {
      if (waited > 500) throw new Error("Vega did not start");
      await new Promise((resolve) => { setTimeout(resolve, 10); });
    }
    return window.vegaEmbed;
  })();

  const say = (text) => { document.getElementById("status").textContent = text; };

  for (const panel of document.querySelectorAll(".chart-choices")) {
    const figure = panel.closest("figure");
    const { controls, tables, ...specifications } = JSON.parse(figure.querySelector("script").textContent);
    const views = {};
    const chosen = Object.fromEntries(controls.map((control) => [control.parameter, control.chosen]));

    // Names that are chosen change the room that the plot has (`resize`); a name that is pointed at does not.
    // A parameter for one name is a signal; one for several names is a selection, which Vega keeps as a table.
    const set = (view, control) => {
      const names = chosen[control.parameter];
      if (!control.several) { view.signal(control.parameter, names[0]); return; }
      const table = `${control.parameter}_store`;
      const fields = view.signal(`${control.parameter}_tuple_fields`);
      view.data(table, names.map((name) => ({ fields, values: [name] })));
    };

    const draw = async (size) => {
      const specification = specifications[size];
      for (const source of specification.data) if ("values" in source) source.values = tables[source.values];
      const embed = await start();
      const drawing = document.createElement("div");
      const options = { mode: "vega", ast: true, renderer: "svg", actions: false, tooltip: false, defaultStyle: false, logLevel: 1 };
      const { view } = await embed(drawing, specification, options);
      for (const control of controls) set(view, control);
      await view.resize().runAsync();
      view.addEventListener("click", async () => {
        await view.resize().runAsync();
        for (const control of controls) if (control.several) read(control, view.signal(control.parameter));
      });
      figure.querySelector(`.${size}`).replaceChildren(drawing);
      return view;
    };
    const narrow = matchMedia("(max-width: 900px)");
    const use = async () => {
      const size = narrow.matches ? "narrow" : "wide";
      try {
        return await (views[size] ??= draw(size));
      } catch (error) {  // an old browser: the static drawing stays
        panel.hidden = true;
        return undefined;
      }
    };

    // A click on a line of the chart is the same as one on its name.
    const read = (control, value) => {
      const names = Object.entries(value).find(([key]) => !key.startsWith("vl"))?.[1] ?? [];
      chosen[control.parameter] = [...names];
      for (const box of panel.querySelectorAll("input[type=checkbox]")) {
        if (box.name === control.parameter) box.checked = names.includes(box.value);
      }
    };

    panel.hidden = false;
    panel.addEventListener("change", async (event) => {
      const control = controls.find((each) => each.parameter === event.target.name);
      if (!control) return;
      const others = chosen[control.parameter].filter((name) => name !== event.target.value);
      const names = event.target.checked ? [...others, event.target.value] : others;
      chosen[control.parameter] = control.several ? names : [event.target.value];
      await use();
      for (const drawn of Object.values(views)) drawn.then((view) => { set(view, control); view.resize().runAsync(); });
      say(`Shown: ${chosen[control.parameter].join(", ") || "none"}.`);
    });
    panel.addEventListener("input", (event) => {
      if (event.target.type !== "search") return;
      const wanted = event.target.value.trim().toLowerCase();
      for (const label of panel.querySelectorAll("label.option")) {
        label.hidden = !label.textContent.toLowerCase().includes(wanted);
      }
    });
    figure.addEventListener("pointerenter", use, { once: true });
    panel.addEventListener("focusin", use, { once: true });
    narrow.addEventListener("change", () => { if (Object.keys(views).length) use(); });
  }
})();
