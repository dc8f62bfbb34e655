// The datasheets of a unit, in a window over the table. For every page that shows a battle; stands behind board.js.
"use strict";

function makeSheets() {
  const dialog = $("board").appendChild(element("dialog"));
  dialog.id = "sheet";
  const make = (tag, words = "", parent = dialog) => parent.appendChild(element(tag, "", words));

  function table(title, rows) {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const around = dialog.appendChild(element("div", "rows"));
    const made = make("table", "", around);
    made.setAttribute("aria-label", title);
    const head = make("tr", "", make("thead", "", made));
    for (const column of columns) make("th", column, head);
    const body = make("tbody", "", made);
    for (const row of rows) {
      const line = make("tr", "", body);
      for (const column of columns) make("td", row[column] ?? "", line);
    }
  }

  // sheets: those of a unit and of the units attached to it. lines: what else is said of it.
  function show(unit, sheets, lines = []) {
    if (!sheets.length) return;
    dialog.replaceChildren();
    dialog.dataset.unit = unit;
    dialog.setAttribute("aria-label", sheets[0].unit);
    for (const sheet of sheets) {
      make("h2", sheet.unit === sheet.title || !sheet.title ? sheet.unit : `${sheet.unit}: ${sheet.title}`);
      for (const [title, rows] of Object.entries(sheet.tables)) table(title, rows);
      for (const note of sheet.notes) make("p", note);
    }
    for (const line of lines) make("p", line);
    make("button", "Close").addEventListener("click", () => dialog.close());
    if (!dialog.open) dialog.show();
    dialog.scrollTop = 0;
  }

  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && dialog.open) dialog.close(); });
  return { show, close: () => dialog.close() };
}

// Calls `ask` with a unit when somebody asks for its datasheet: by a click on a model that does not drag the table (if
// `plain`), by the other button of a mouse, or by a long press.
function askForSheets(svg, ask, plain) {
  let from = null;
  const unitAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("#table [data-unit]")?.dataset.unit;
  svg.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
  svg.addEventListener("pointerup", (event) => {
    if (!from || event.button || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4) return;
    const unit = unitAt(event);
    if (unit !== undefined && plain(event)) ask(+unit);
  });
  svg.addEventListener("contextmenu", (event) => {
    const unit = unitAt(event);
    if (unit === undefined) return;
    event.preventDefault();
    ask(+unit);
  });
}
