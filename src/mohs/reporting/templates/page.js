"use strict";
(() => {
  const held = document.getElementById("data");
  let parsed;
  const data = () => (parsed ??= JSON.parse(held.textContent));

  // Text goes in as text, so nothing that data says is ever read as markup.
  const made = (tag, options = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(options)) {
      if (name === "text") node.textContent = value;
      else if (value !== null && value !== undefined) node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  };
  const drawn = (tag, options) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(options)) node.setAttribute(name, value);
    return node;
  };
  const shown = (value, digits) =>
    value === null || value === undefined ? "–" : value.toFixed(digits).replace("-", "−");

  // Sorting.
  const keyOf = (row, column) => row.cells[column]?.dataset.k;
  const sort = (table, column, way) => {
    close(table);
    const body = table.tBodies[0];
    const sign = way === "ascending" ? 1 : -1;
    const rows = [...body.rows].map((row, place) => [keyOf(row, column), place, row]);
    rows.sort(([a, i], [b, j]) => {
      if (a === undefined || b === undefined) return (a === undefined) - (b === undefined) || i - j;
      const x = Number(a), y = Number(b);
      const order = Number.isNaN(x) || Number.isNaN(y) ? (a < b ? -1 : a > b ? 1 : 0) : x - y;
      return sign * order || i - j;
    });
    body.append(...rows.map(([, , row]) => row));
  };
  const sortable = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const first = head.dataset.sort;
      if (!first) return;
      const label = head.querySelector(".label");
      // A head that is repeated on the next sheet of paper loses its buttons.
      head.dataset.label = label.textContent;
      const button = made("button", { type: "button", class: "sort" });
      button.append(...label.childNodes);
      label.replaceWith(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const other = first === "ascending" ? "descending" : "ascending";
        const way = now === first ? other : first;
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", way);
        sort(table, column, way);
      });
    });
  };

  // Filtering.
  const filterable = (grid, table) => {
    const box = grid.querySelector(".filters");
    if (!box) return;
    const input = box.querySelector("input");
    const buttons = [...box.querySelectorAll("[data-group]")];
    const told = box.querySelector(".shown");
    const rows = [...table.tBodies[0].rows];
    const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
    const apply = () => {
      close(table);
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const groups = new Set(buttons.filter((b) => b.getAttribute("aria-pressed") === "true").map((b) => b.dataset.group));
      let count = 0;
      for (const row of rows) {
        const text = texts.get(row);
        const kept = words.every((word) => text.includes(word)) && (!groups.size || groups.has(row.dataset.group));
        row.hidden = !kept;
        count += kept;
      }
      told.textContent = count === rows.length ? "" : `${count} of ${rows.length} shown`;
    };
    input.addEventListener("input", apply);
    for (const button of buttons) {
      button.addEventListener("click", () => {
        button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
        apply();
      });
    }
    box.hidden = false;
  };

  // Taking tables along.
  const download = (name, text) => {
    const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    const link = made("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
  };
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = made("textarea", { "aria-hidden": "true" });
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      if (!done) throw new Error("not copied");
    }
  };
  const tooled = (grid) => {
    const tools = grid.querySelector(".tools");
    const told = tools.querySelector(".told");
    const name = grid.dataset.grid;
    tools.addEventListener("click", async (event) => {
      const what = event.target.dataset?.do;
      if (what === "csv") {
        download(`${name}.csv`, data().grids[name].csv);
        told.textContent = `${name}.csv was saved`;
      } else if (what === "latex") {
        try {
          await copy(data().grids[name].latex);
          told.textContent = "copied; it needs the package booktabs";
        } catch {
          told.textContent = "the browser does not let this page copy";
        }
      }
    });
    tools.hidden = false;
  };

  // Details of a topic.
  const WIDE = 220;
  const close = (table) => {
    table.querySelector("tr.detail")?.remove();
    table.querySelector('button.open[aria-expanded="true"]')?.setAttribute("aria-expanded", "false");
  };
  const table = (caption, heads, rows) => {
    const node = made("table");
    node.append(made("caption", { text: caption }));
    const top = made("tr");
    for (const [text, kind] of heads) top.append(made("th", { scope: "col", class: kind, text }));
    node.append(made("thead", {}, top));
    const body = made("tbody");
    body.append(...rows);
    node.append(body);
    return node;
  };
  const row = (...cells) => {
    const node = made("tr");
    for (const [content, kind] of cells) {
      const cell = made("td", { class: kind });
      cell.append(content);
      node.append(cell);
    }
    return node;
  };
  const scroll = (label, ...children) =>
    made("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);
  const placed = (rank, deepest) => 4 + (WIDE - 8) * Math.log(rank) / Math.log(Math.max(deepest, 2));

  const rug = (ranks, deepest, system) => {
    const svg = drawn("svg", { class: "rug", width: WIDE, height: 16, "aria-hidden": "true" });
    const all = ranks.filter((rank) => rank > 0).map((rank) => `M${placed(rank, deepest).toFixed(1)} 3v10`).join("");
    if (all) svg.append(drawn("path", { d: all }));
    if (ranks[system] > 0) svg.append(drawn("path", { class: "chosen", d: `M${placed(ranks[system], deepest).toFixed(1)} 0v16` }));
    return svg;
  };
  const documents = (topic, all, system) => {
    const deepest = topic.ranks.reduce((most, ranks) => Math.max(most, ...ranks), 2);
    const rows = topic.documents.map((name, at) => {
      const ranks = topic.ranks[at];
      const found = ranks.filter((rank) => rank > 0).sort((a, b) => a - b);
      const rank = ranks[system];
      const relevant = topic.grades[at] >= 1;
      return row(
        [name, relevant ? "name relevant" : "name"],
        [String(topic.grades[at]), "number"],
        [String(topic.top[at]), "number"],
        [String(found.length), "number"],
        [found.length ? String(found[0]) : "–", "number"],
        [rank > 0 ? String(rank) : "–", "number"],
        [rug(ranks, deepest, system), "graph"],
      );
    });
    const caption = `${topic.documents.length} of ${topic.judged} judged documents: relevant ones, then others that systems rank high`;
    return table(caption, [
      ["document", "name"], ["grade", "number"], [`in top ${all.depth}`, "number"], ["systems", "number"],
      ["best rank", "number"], ["its rank", "number"], [`ranks, 1 to ${deepest} (log)`, "graph"],
    ], rows);
  };
  const ofRuns = (topic, all) => {
    const panel = made("div", { class: "two" });
    if (topic.reason) panel.append(made("p", { text: `Left out: ${topic.reason}.` }));
    const right = made("div");
    const pickedLine = made("p", { class: "shown", role: "status" });
    const holder = scroll("Judged documents");
    const pick = (system, line) => {
      left.querySelectorAll("tr.chosen").forEach((each) => each.classList.remove("chosen"));
      line?.classList.add("chosen");
      pickedLine.textContent = `A line is a system; the coloured one is ${all.systems[system]}. Relevant documents are bold.`;
      holder.replaceChildren(documents(topic, all, system));
    };
    const rows = topic.systems.map((system, at) => {
      const button = made("button", { type: "button", class: "pick", text: all.systems[system] });
      const line = row(
        [button, "name"],
        [topic.won[at] ? "yes" : "no", "text"],
        [shown(topic.ndcg[at], 3), "number"],
        [shown(topic.std[at], 3), "number"],
        [shown(topic.margin[at], 2), "number"],
        [topic.p.length ? (topic.p[at] < 0.001 ? "< 0.001" : topic.p[at].toFixed(3)) : "–", "number"],
      );
      button.addEventListener("click", () => pick(system, line));
      return line;
    });
    const depth = all.measure.split("@")[1];
    const left = made("div", {}, scroll("Systems on this topic", table(
      `${rows.length} systems, the best first`,
      [["system", "name"], ["wins", "text"], [`nDCG@${depth}`, "number"], [all.measure, "number"], ["margin", "number"], ["p", "number"]],
      rows,
    )));
    if (rows.length) panel.append(left);
    right.append(pickedLine, holder);
    panel.append(right);
    pick(topic.systems[0] ?? 0, rows[0]);
    return panel;
  };
  const ofScores = (topic, all) => {
    const order = topic.values.map((value, at) => [value, at]).filter(([value]) => value !== null).sort(([a], [b]) => b - a);
    const rows = order.map(([value, at]) => row([all.systems[at], "name"], [shown(value, 3), "number"]));
    return made("div", {}, scroll("Systems on this topic", table(
      `${rows.length} systems, the best first`, [["system", "name"], [all.measure, "number"]], rows,
    )));
  };
  const detail = (name) => {
    const all = data().details;
    const topic = all.topics?.[name];
    if (!topic) return null;
    const panel = made("div", { class: "topic" });
    panel.append(made("h3", { text: `Topic ${topic.name}` }));
    if (topic.query) panel.append(made("p", { class: "query", text: topic.query }));
    panel.append(all.kind === "runs" ? ofRuns(topic, all) : ofScores(topic, all));
    return panel;
  };
  const openable = (grid, table) => {
    const rows = [...table.tBodies[0].rows].filter((each) => each.dataset.topic !== undefined);
    const toggle = (line, button) => {
      const open = button.getAttribute("aria-expanded") === "true";
      close(table);
      if (open) return;
      const panel = detail(line.dataset.topic);
      if (!panel) return;
      const cell = made("td", { class: "holder", colspan: line.cells.length }, panel);
      line.after(made("tr", { class: "detail" }, cell));
      button.setAttribute("aria-expanded", "true");
    };
    for (const line of rows) {
      const cell = line.cells[0];
      const button = made("button", { type: "button", class: "open", "aria-expanded": "false" });
      button.append(...cell.childNodes);
      cell.append(button);
      line.addEventListener("click", (event) => {
        if (event.target.closest("button") !== button && String(getSelection())) return;
        toggle(line, button);
      });
    }
    table.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      const open = table.querySelector('button.open[aria-expanded="true"]');
      close(table);
      open?.focus();
    });
  };

  for (const grid of document.querySelectorAll(".grid")) {
    const found = grid.querySelector("table");
    sortable(found);
    filterable(grid, found);
    openable(grid, found);
    tooled(grid);
  }
  // Where a table fits, its head may stay in sight; where not, it scrolls sideways.
  const fit = () => {
    for (const wide of document.querySelectorAll(".wide")) {
      wide.classList.remove("fits");
      wide.classList.toggle("fits", wide.scrollWidth <= wide.clientWidth);
    }
  };
  let waiting;
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(fit);
  });
  for (const folded of document.querySelectorAll("details")) folded.addEventListener("toggle", fit);
  fit();
  addEventListener("beforeprint", () => document.querySelectorAll("details:not(.hints)").forEach((each) => (each.open = true)));
})();
