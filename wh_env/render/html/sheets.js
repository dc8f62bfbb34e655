// The datasheet of a unit: opened by a click on one of its models or on its row among the units.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("replay").textContent);
  const sheets = data.sheets || [];
  const board = document.getElementById("board");
  const dialog = board.appendChild(document.createElement("dialog"));
  dialog.id = "sheet";

  function make(tag, words = "", parent = dialog) {
    const element = parent.appendChild(document.createElement(tag));
    element.textContent = words;
    return element;
  }

  function table(title, rows) {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const made = make("table");
    made.setAttribute("aria-label", title);
    const head = make("tr", "", make("thead", "", made));
    for (const column of columns) make("th", column, head);
    const body = make("tbody", "", made);
    for (const row of rows) {
      const line = make("tr", "", body);
      for (const column of columns) make("td", row[column] ?? "", line);
    }
  }

  // A unit and those attached to it, which its name among the units tells ("captain + intercessors").
  function sheetsOf(unit) {
    const own = sheets[unit], row = window.replay.beside(`unit${unit}`);
    const names = row ? row[0].split(" + ") : [];
    return [...new Set([...sheets.filter((sheet) => sheet.player === own?.player && names.includes(sheet.unit)), own])].filter(Boolean);
  }

  function show(unit) {
    const found = sheetsOf(unit);
    if (!found.length) return;
    dialog.replaceChildren();
    dialog.dataset.unit = unit;
    for (const sheet of found) {
      make("h2", sheet.unit === sheet.title || !sheet.title ? sheet.unit : `${sheet.unit}: ${sheet.title}`);
      for (const [title, rows] of Object.entries(sheet.tables)) table(title, rows);
      for (const note of sheet.notes) make("p", note);
    }
    const close = make("button", "Close");
    close.addEventListener("click", () => dialog.close());
    if (!dialog.open) dialog.show();
  }

  document.getElementById("units").addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-unit]");
    if (row) show(+row.dataset.unit);
  });

  // A click on the table is one that did not drag it.
  let from = null;
  const svg = document.getElementById("table");
  svg.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
  svg.addEventListener("pointerup", (event) => {
    if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4) return;
    const unit = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-unit]")?.dataset.unit;
    if (unit !== undefined) show(+unit);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && dialog.open) dialog.close(); });
})();
