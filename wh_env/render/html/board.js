// The table, to scale, as SVG, with what stands beside it. Knows shapes, styles and words, no game. For every page that shows a battle.
"use strict";

const UNITS_PER_GRAIN = 20; // of the drawing; small font sizes are not drawn well
const LETTER = 0.9; // size of the font to height of letters
const NAME = 0.85, TALLEST = 14; // grains: height of the names of units; pixels: they grow with the table up to this
const DRAG = 5; // pixels that a pointer may tremble in a click
const SVG = "http://www.w3.org/2000/svg";
const $ = (id) => document.getElementById(id);

function element(tag, cls = "", words = "") {
  const made = document.createElement(tag);
  if (cls) made.className = cls;
  if (words) made.textContent = words;
  return made;
}

function drawing(name, attributes = {}, parent = null) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (parent) parent.append(made);
  return made;
}

// Carry out changes of shapes, of values beside the table: new fields or values by key, null for what is gone.
function changeShapes(shapes, changes, usual) {
  for (const [key, change] of Object.entries(changes || {})) {
    if (change === null) shapes.delete(key);
    else shapes.set(key, { ...(shapes.get(key) || usual), ...change });
  }
}
function changeBeside(beside, changes) {
  for (const [key, value] of Object.entries(changes || {})) {
    if (value === null) beside.delete(key); else beside.set(key, value);
  }
}

function makeBoard(svg, { length, width, grain }) {
  const K = UNITS_PER_GRAIN / grain;
  const px = (value) => +(value * K).toFixed(2);
  const py = (value) => +((width - value) * K).toFixed(2);
  const layers = new Map();
  const drawn = new Map(); // key -> { shape, element }
  let shown = new Map(); // the shapes that are drawn

  function layer(number) {
    if (!layers.has(number)) {
      const group = drawing("g", { "data-layer": number });
      const after = [...layers.keys()].filter((other) => other > number).sort((a, b) => a - b)[0];
      svg.insertBefore(group, after === undefined ? null : layers.get(after));
      layers.set(number, group);
    }
    return layers.get(number);
  }

  const sameMake = (a, b) => a.k === b.k && a.s === b.s && a.l === b.l && a.n === b.n && a.h === b.h && a.u === b.u
    && a.t === b.t && a.a === b.a && a.b === b.b && a.p === b.p;

  function place(made, shape) {
    made.style.transform = `translate(${px(shape.x)}px, ${py(shape.y)}px)`;
    made.firstChild.style.transform = `rotate(${(-shape.r * 180 / Math.PI).toFixed(2)}deg)`;
  }

  function build(shape) {
    const attributes = { class: `s-${shape.s}` };
    if (shape.u >= 0) attributes["data-unit"] = shape.u;
    let made;
    if (shape.k === "oval" || shape.k === "box") {
      made = drawing("g", { ...attributes, class: `${attributes.class} base` });
      const turned = drawing("g", {}, made);
      const a = px(shape.a), b = px(shape.b);
      if (shape.k === "oval") drawing("ellipse", { class: "body", rx: a, ry: b }, turned);
      else drawing("rect", { class: "body", x: -a, y: -b, width: 2 * a, height: 2 * b }, turned);
      if (shape.n) drawing("line", { x1: +(0.55 * a).toFixed(2), x2: a }, turned);
      if (shape.t) {
        const size = Math.min(1.1 * b, 1.15 * a);
        drawing("text", { class: "s-wounds", "font-size": size.toFixed(2) }, made).textContent = shape.t;
      }
      place(made, shape);
    } else if (shape.k === "text") {
      made = drawing("text", { ...attributes, x: px(shape.x), y: py(shape.y) });
      made.style.fontSize = `calc(${px(LETTER * shape.a)}px * var(--near, 1))`;
      made.textContent = shape.t;
    } else {
      const points = [];
      for (let i = 0; i < shape.p.length; i += 2) points.push(`${px(shape.p[i])},${py(shape.p[i + 1])}`);
      made = drawing(shape.k === "line" ? "polyline" : "polygon", { ...attributes, points: points.join(" ") });
    }
    if (shape.h) drawing("title", {}, made).textContent = shape.h;
    else if (shape.k !== "text") made.classList.add("fixed");
    return made;
  }

  function draw(shapes) {
    shown = shapes;
    for (const [key, entry] of drawn) {
      if (!shapes.has(key)) { entry.element.remove(); drawn.delete(key); }
    }
    for (const [key, shape] of shapes) {
      const entry = drawn.get(key);
      if (entry && entry.shape === shape) continue;
      if (entry && (shape.k === "oval" || shape.k === "box") && sameMake(entry.shape, shape)) {
        place(entry.element, shape);
        entry.shape = shape;
        continue;
      }
      const made = build(shape);
      if (entry && entry.shape.l === shape.l) entry.element.replaceWith(made);
      else { if (entry) entry.element.remove(); layer(shape.l).append(made); }
      drawn.set(key, { shape, element: made });
    }
  }

  // ---- zoom and pan

  const margin = 2.6 * grain;
  const whole = { x: -margin * K, y: -margin * K, w: (length + 2 * margin) * K, h: (width + 2 * margin) * K };
  let view = { ...whole };

  function look(next, least = whole.w / 20) {
    const most = whole.w * 1.5;
    const w = Math.min(most, Math.max(least, next.w));
    view = { x: next.x, y: next.y, w, h: w * whole.h / whole.w };
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
    thin();
  }

  const pixels = () => Math.min(svg.clientWidth / view.w, svg.clientHeight / view.h); // of one unit of the drawing
  const wide = (side, tall) => Math.min(svg.clientWidth, svg.clientHeight * whole.w / whole.h) * side / tall; // the view in which a side has so many pixels

  // Letters and lines, unlike bases, do not grow for ever when the table comes nearer.
  let near = 1;
  function thin() {
    const now = Math.min(1, TALLEST / (LETTER * NAME * UNITS_PER_GRAIN * pixels() || TALLEST));
    if (Math.abs(now / near - 1) < 0.02) return;
    near = now;
    svg.style.setProperty("--near", near.toFixed(4));
  }
  new ResizeObserver(thin).observe(svg);

  function point(event) {
    const matrix = svg.getScreenCTM().inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  }

  function zoom(factor, about = { x: view.x + view.w / 2, y: view.y + view.h / 2 }) {
    const w = Math.min(whole.w * 1.5, Math.max(Math.min(whole.w / 20, view.w), view.w / factor));
    const scale = w / view.w;
    look({ x: about.x - (about.x - view.x) * scale, y: about.y - (about.y - view.y) * scale, w }, w);
  }

  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.0015), point(event));
  }, { passive: false });

  // One pointer drags the table, two pinch it. Captured only when it moves, so that a click still is one of what lies there.
  const pointers = new Map(); // id -> the last event
  let grabbed = null; // where on the table the dragging pointer took hold
  let dragged = false; // whether the last press was no click

  const apart = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  };
  const between = () => {
    const [a, b] = [...pointers.values()];
    return point({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 });
  };
  svg.addEventListener("pointerdown", (event) => {
    if (!pointers.size) dragged = false;
    pointers.set(event.pointerId, event);
    grabbed = { at: point(event), x: event.clientX, y: event.clientY };
  });
  svg.addEventListener("pointermove", (event) => {
    light(event.target.closest?.("[data-unit]")?.dataset.unit);
    if (!pointers.has(event.pointerId)) return;
    if (pointers.size === 2) {
      const before = apart();
      pointers.set(event.pointerId, event);
      dragged = true;
      if (before > 0) zoom(apart() / before, between());
      return;
    }
    pointers.set(event.pointerId, event);
    if (!grabbed) return;
    if (!dragged && Math.hypot(event.clientX - grabbed.x, event.clientY - grabbed.y) < DRAG) return;
    if (!dragged) { dragged = true; svg.setPointerCapture(event.pointerId); }
    const here = point(event);
    svg.classList.add("dragged");
    look({ ...view, x: view.x - (here.x - grabbed.at.x), y: view.y - (here.y - grabbed.at.y) }, view.w);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    svg.addEventListener(end, (event) => {
      if (end === "pointerleave" && svg.hasPointerCapture(event.pointerId)) return;
      pointers.delete(event.pointerId);
      grabbed = null;
      svg.classList.remove("dragged");
      if (end === "pointerleave") light();
    });
  }
  svg.addEventListener("click", (event) => { if (dragged) { event.stopPropagation(); dragged = false; } }, true);

  function light(unit) {
    for (const made of document.querySelectorAll(".lit")) made.classList.remove("lit");
    if (unit === undefined) return;
    for (const made of svg.querySelectorAll(`[data-unit="${unit}"] > g`)) made.classList.add("lit");
    document.querySelector(`#units tr[data-unit="${unit}"]`)?.classList.add("lit");
  }

  function visit(unit) {
    const bases = [...shown.values()].filter((shape) => shape.u === unit && shape.n);
    if (!bases.length) return;
    const x = bases.reduce((sum, shape) => sum + shape.x, 0) / bases.length;
    const y = bases.reduce((sum, shape) => sum + shape.y, 0) / bases.length;
    const w = Math.min(view.w, whole.w / 2.2);
    look({ x: px(x) - w / 2, y: py(y) - w * whole.h / whole.w / 2, w });
    light(unit);
  }

  look(whole);
  return {
    draw, build, layer, look, zoom, light, visit, point, px, py, pixels, wide, fit: () => look(whole), view: () => ({ ...view }), whole: () => ({ ...whole }),
    element: (key) => drawn.get(key)?.element,
  };
}

// ---- beside the table

function drawSeats(beside, players) {
  for (const player of [0, 1]) {
    const seat = document.querySelector(`.seat.p${player}`);
    const [score, command] = beside.get(`seat${player}`);
    seat.querySelector(".name").textContent = players[player];
    const points = seat.querySelector(".score");
    points.textContent = `${score} VP`;
    if (command >= 0) points.append(element("small", "", ` ${command} CP`));
  }
  $("moment").textContent = beside.get("moment") ?? "";
  $("asked").textContent = beside.get("asked") ?? "";
}

function drawUnits(panel, beside, players) {
  panel.replaceChildren();
  for (const player of [0, 1]) {
    panel.append(element("h3", `p${player}`, players[player]));
    const table = panel.appendChild(element("table"));
    for (const [key, row] of beside) {
      if (!key.startsWith("unit") || row[1] !== player) continue;
      const [name, , alive, strength, wounds, most, where, states, standing] = row;
      const line = table.appendChild(element("tr", alive ? "" : "gone"));
      line.dataset.unit = key.slice(4);
      const first = line.appendChild(element("td"));
      first.append(element("button", "unit", name));
      const bar = first.appendChild(element("div", `bar p${player}`)).appendChild(element("i"));
      bar.style.width = `${Math.round(100 * wounds / Math.max(1, most))}%`;
      line.append(element("td", "num", `${alive}/${strength}`));
      line.append(element("td", "num", most > strength ? `${wounds}/${most} W` : ""));
      line.append(element("td", "state", [...(standing ? [] : [where]), ...states].join(", ")));
    }
  }
}

function drawDice(panel, roll, dice) {
  panel.replaceChildren();
  if (!dice?.length) return;
  if (roll) panel.append(element("span", "roll", roll));
  for (const [value, good] of dice) panel.append(element("b", good < 0 ? "" : good ? "good" : "bad", String(value)));
}
