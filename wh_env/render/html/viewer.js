// Shows a replay: every step changes some shapes on the table and some values beside it. Knows shapes, styles and words, no game.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("replay").textContent);
  const steps = data.steps;
  const START = 0, DECISION = 1, EVENT = 2;
  const UNITS_PER_GRAIN = 20; // of the drawing; small font sizes are not drawn well
  const LETTER = 0.9; // size of the font to height of letters
  const KEYFRAME = 50;
  const SVG = "http://www.w3.org/2000/svg";
  const $ = (id) => document.getElementById(id);
  const K = UNITS_PER_GRAIN / data.grain;
  const px = (value) => +(value * K).toFixed(2);
  const py = (value) => +((data.width - value) * K).toFixed(2);

  // ---- the state at each step

  class State {
    constructor() { this.at = -1; this.shapes = new Map(); this.beside = new Map(); }
    copy() {
      const copy = new State();
      copy.at = this.at; copy.shapes = new Map(this.shapes); copy.beside = new Map(this.beside);
      return copy;
    }
    forward() {
      const step = steps[++this.at];
      for (const [key, change] of Object.entries(step.s || {})) {
        if (change === null) this.shapes.delete(key);
        else this.shapes.set(key, { ...(this.shapes.get(key) || data.usual), ...change });
      }
      for (const [key, value] of Object.entries(step.b || {})) {
        if (value === null) this.beside.delete(key); else this.beside.set(key, value);
      }
    }
  }

  const keyframes = [];
  const headings = []; // for each step: the moment, whose turn
  {
    const state = new State();
    while (state.at < steps.length - 1) {
      state.forward();
      if (state.at % KEYFRAME === 0) keyframes.push(state.copy());
      headings.push({ moment: state.beside.get("moment"), turn: state.beside.get("turn"), round: state.beside.get("round") });
    }
  }
  let state = keyframes[0].copy();

  function seek(to) {
    const frame = keyframes[Math.floor(to / KEYFRAME)];
    if (to < state.at || frame.at > state.at) state = frame.copy();
    while (state.at < to) state.forward();
  }

  // ---- the table

  const svg = $("table");
  const layers = new Map();
  const drawn = new Map(); // key -> { shape, element }

  function make(name, attributes = {}, parent = null) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (parent) parent.append(element);
    return element;
  }

  function layer(number) {
    if (!layers.has(number)) {
      const group = make("g", { "data-layer": number });
      const after = [...layers.keys()].filter((other) => other > number).sort((a, b) => a - b)[0];
      svg.insertBefore(group, after === undefined ? null : layers.get(after));
      layers.set(number, group);
    }
    return layers.get(number);
  }

  const sameMake = (a, b) => a.k === b.k && a.s === b.s && a.l === b.l && a.n === b.n && a.h === b.h && a.u === b.u
    && a.t === b.t && a.a === b.a && a.b === b.b && a.p === b.p;

  function place(element, shape) {
    element.style.transform = `translate(${px(shape.x)}px, ${py(shape.y)}px)`;
    element.firstChild.style.transform = `rotate(${(-shape.r * 180 / Math.PI).toFixed(2)}deg)`;
  }

  function build(shape) {
    const attributes = { class: `s-${shape.s}` };
    if (shape.u >= 0) attributes["data-unit"] = shape.u;
    let element;
    if (shape.k === "oval" || shape.k === "box") {
      element = make("g", { ...attributes, class: `${attributes.class} base` });
      const turned = make("g", {}, element);
      const a = px(shape.a), b = px(shape.b);
      if (shape.k === "oval") make("ellipse", { class: "body", rx: a, ry: b }, turned);
      else make("rect", { class: "body", x: -a, y: -b, width: 2 * a, height: 2 * b }, turned);
      if (shape.n) make("line", { x1: +(0.55 * a).toFixed(2), x2: a }, turned);
      if (shape.t) {
        const size = Math.min(1.1 * b, 1.15 * a);
        make("text", { class: "s-wounds", "font-size": size.toFixed(2) }, element).textContent = shape.t;
      }
      place(element, shape);
    } else if (shape.k === "text") {
      element = make("text", { ...attributes, x: px(shape.x), y: py(shape.y), "font-size": px(LETTER * shape.a) });
      element.textContent = shape.t;
    } else {
      const points = [];
      for (let i = 0; i < shape.p.length; i += 2) points.push(`${px(shape.p[i])},${py(shape.p[i + 1])}`);
      element = make(shape.k === "line" ? "polyline" : "polygon", { ...attributes, points: points.join(" ") });
    }
    if (shape.h) make("title", {}, element).textContent = shape.h;
    else if (shape.k !== "text") element.classList.add("fixed");
    return element;
  }

  function draw() {
    for (const [key, entry] of drawn) {
      if (!state.shapes.has(key)) { entry.element.remove(); drawn.delete(key); }
    }
    for (const [key, shape] of state.shapes) {
      const entry = drawn.get(key);
      if (entry && entry.shape === shape) continue;
      if (entry && (shape.k === "oval" || shape.k === "box") && sameMake(entry.shape, shape)) {
        place(entry.element, shape);
        entry.shape = shape;
        continue;
      }
      const element = build(shape);
      if (entry && entry.shape.l === shape.l) entry.element.replaceWith(element);
      else { if (entry) entry.element.remove(); layer(shape.l).append(element); }
      drawn.set(key, { shape, element });
    }
  }

  // ---- zoom and pan

  const margin = 2.6 * data.grain;
  const whole = { x: -margin * K, y: -margin * K, w: (data.length + 2 * margin) * K, h: (data.width + 2 * margin) * K };
  let view = { ...whole };

  function look(next) {
    const most = whole.w * 1.5, least = whole.w / 20;
    const w = Math.min(most, Math.max(least, next.w));
    view = { x: next.x, y: next.y, w, h: w * whole.h / whole.w };
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
  }

  function point(event) {
    const matrix = svg.getScreenCTM().inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  }

  function zoom(factor, about = { x: view.x + view.w / 2, y: view.y + view.h / 2 }) {
    const w = Math.min(whole.w * 1.5, Math.max(whole.w / 20, view.w / factor));
    const scale = w / view.w;
    look({ x: about.x - (about.x - view.x) * scale, y: about.y - (about.y - view.y) * scale, w });
  }

  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.0015), point(event));
  }, { passive: false });
  let grabbed = null;
  svg.addEventListener("pointerdown", (event) => { grabbed = point(event); svg.setPointerCapture(event.pointerId); });
  svg.addEventListener("pointermove", (event) => {
    light(event.target.closest("[data-unit]")?.dataset.unit);
    if (!grabbed) return;
    const here = point(event);
    svg.classList.add("dragged");
    look({ ...view, x: view.x - (here.x - grabbed.x), y: view.y - (here.y - grabbed.y) });
  });
  for (const end of ["pointerup", "pointercancel"]) {
    svg.addEventListener(end, () => { grabbed = null; svg.classList.remove("dragged"); });
  }
  svg.addEventListener("pointerleave", () => light());

  function light(unit) {
    for (const element of document.querySelectorAll(".lit")) element.classList.remove("lit");
    if (unit === undefined) return;
    for (const element of document.querySelectorAll(`#table [data-unit="${unit}"] > g`)) element.classList.add("lit");
    document.querySelector(`#units tr[data-unit="${unit}"]`)?.classList.add("lit");
  }

  function visit(unit) {
    const bases = [...state.shapes.values()].filter((shape) => shape.u === unit && shape.n);
    if (!bases.length) return;
    const x = bases.reduce((sum, shape) => sum + shape.x, 0) / bases.length;
    const y = bases.reduce((sum, shape) => sum + shape.y, 0) / bases.length;
    const w = Math.min(view.w, whole.w / 2.2);
    look({ x: px(x) - w / 2, y: py(y) - w * whole.h / whole.w / 2, w });
    light(unit);
  }

  // ---- beside the table

  function element(tag, cls = "", words = "") {
    const made = document.createElement(tag);
    if (cls) made.className = cls;
    if (words) made.textContent = words;
    return made;
  }

  const rows = []; // list items by step
  {
    const events = $("events");
    let list = null, before = null;
    steps.forEach((step, at) => {
      const heading = headings[at];
      if (!list || heading.moment !== before) {
        before = heading.moment;
        events.append(element("h3", `t${heading.turn}`, before));
        list = events.appendChild(element("ol"));
      }
      const kind = step.k === DECISION ? `decision p${step.p}` : step.k === EVENT ? "event" : "decision";
      const item = list.appendChild(element("li", kind + (step.o ? " die" : ""), step.w));
      item.dataset.step = at;
      rows.push(item);
    });
    events.addEventListener("click", (event) => {
      const item = event.target.closest("li");
      if (item) { pause(); go(+item.dataset.step); }
    });
  }

  function fill(id, words) { $(id).textContent = words ?? ""; }

  function drawUnits() {
    const panel = $("units");
    panel.replaceChildren();
    for (const player of [0, 1]) {
      panel.append(element("h3", `p${player}`, data.players[player]));
      const table = panel.appendChild(element("table"));
      for (const [key, row] of state.beside) {
        if (!key.startsWith("unit") || row[1] !== player) continue;
        const [name, , alive, strength, wounds, most, where, states, standing] = row;
        const line = table.appendChild(element("tr", alive ? "" : "gone"));
        line.dataset.unit = key.slice(4);
        const first = line.appendChild(element("td"));
        first.append(element("div", "unit", name));
        const bar = first.appendChild(element("div", `bar p${player}`)).appendChild(element("i"));
        bar.style.width = `${Math.round(100 * wounds / Math.max(1, most))}%`;
        line.append(element("td", "num", `${alive}/${strength}`));
        line.append(element("td", "num", most > strength ? `${wounds}/${most} W` : ""));
        line.append(element("td", "state", [...(standing ? [] : [where]), ...states].join(", ")));
      }
    }
  }

  $("units").addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row) visit(+row.dataset.unit);
  });
  $("units").addEventListener("pointerover", (event) => light(event.target.closest("tr")?.dataset.unit));

  function drawBeside() {
    const step = steps[state.at];
    for (const player of [0, 1]) {
      const seat = document.querySelector(`.seat.p${player}`);
      const [score, command] = state.beside.get(`seat${player}`);
      seat.querySelector(".name").textContent = data.players[player];
      const points = seat.querySelector(".score");
      points.textContent = `${score} VP`;
      if (command >= 0) points.append(element("small", "", ` ${command} CP`));
    }
    fill("moment", state.beside.get("moment"));
    fill("asked", state.beside.get("asked"));
    fill("words", step.w);
    const dice = $("dice");
    dice.replaceChildren();
    if (step.d) {
      dice.append(element("span", "roll", step.l));
      for (const [value, good] of step.d) {
        dice.append(element("b", good < 0 ? "" : good ? "good" : "bad", String(value)));
      }
      if (step.o) dice.lastChild.classList.add("fresh");
    }
    const rule = data.rules[step.r] || { title: "", id: "", where: "", text: "" };
    $("rule").style.visibility = rule.id ? "visible" : "hidden";
    fill("rule-title", rule.title);
    $("rule-where").replaceChildren(element("code", "", rule.id), rule.where);
    fill("rule-text", rule.text);
    fill("count", `step ${state.at} of ${steps.length - 1}`);
    $("slider").value = state.at;
    document.querySelector("#events .current")?.classList.remove("current");
    rows[state.at].classList.add("current");
    if (!$("units").hidden) drawUnits();
    if (!following) following = requestAnimationFrame(follow);
  }

  // Measuring the list is slow, so it follows once a frame.
  let following = 0;
  function follow() {
    following = 0;
    const list = $("events"), row = rows[state.at];
    if (list.hidden) return;
    const top = row.offsetTop - list.scrollTop;
    if (top < 60 || top > list.clientHeight - 60) list.scrollTop = row.offsetTop - list.clientHeight / 2;
  }

  // ---- moving through time

  let addressing = 0;

  function go(to) {
    to = Math.max(0, Math.min(steps.length - 1, to));
    svg.classList.toggle("glide", Math.abs(to - state.at) <= 40);
    seek(to);
    draw();
    drawBeside();
    // The address names the step, for links; browsers allow that only so often.
    clearTimeout(addressing);
    addressing = setTimeout(() => {
      try { history.replaceState(null, "", `#step=${state.at}`); } catch { /* a page in a frame may not */ }
    }, 400);
  }

  const isDecision = (at) => steps[at].k !== EVENT;
  const isTurn = (at) => at === 0 || headings[at].turn !== headings[at - 1].turn || headings[at].round !== headings[at - 1].round;

  function hunt(wanted, way) {
    let at = state.at + way;
    while (at > 0 && at < steps.length - 1 && !wanted(at)) at += way;
    go(at);
  }

  // A decision's step shows the battle as it was asked; what came of it is seen at the last event before the next one.
  const leave = { event: () => go(state.at + 1), decision: () => hunt((at) => isDecision(Math.min(at + 1, steps.length - 1)), 1) };
  let timer = 0;

  function pause() { clearTimeout(timer); timer = 0; $("play").textContent = "▶ Play"; }
  function tick() {
    if (state.at >= steps.length - 1) { pause(); return; }
    leave[$("stride").value]();
    timer = setTimeout(tick, 1000 / +$("speed").value);
  }
  function play() {
    if (timer) { pause(); return; }
    if (state.at >= steps.length - 1) go(0);
    $("play").textContent = "❚❚ Pause";
    tick();
  }

  const root = document.documentElement;
  const does = {
    first: () => go(0), last: () => go(steps.length - 1), next: () => go(state.at + 1), back: () => go(state.at - 1),
    "decision-next": () => hunt(isDecision, 1), "decision-back": () => hunt(isDecision, -1),
    "turn-next": () => hunt(isTurn, 1), "turn-back": () => hunt(isTurn, -1),
    "zoom-in": () => zoom(1.4), "zoom-out": () => zoom(1 / 1.4), fit: () => look(whole),
    theme: () => { root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; },
    help: () => $("help").showModal(), play,
  };
  const keeps = new Set(["zoom-in", "zoom-out", "fit", "theme", "help", "play"]); // leave the playing as it is
  function act(name) { if (!keeps.has(name)) pause(); does[name](); }

  document.addEventListener("click", (event) => {
    const name = event.target.closest("[data-do]")?.dataset.do;
    if (name) act(name);
    const tab = event.target.closest("[data-tab]")?.dataset.tab;
    if (tab) {
      for (const button of document.querySelectorAll("[data-tab]")) {
        button.setAttribute("aria-selected", String(button.dataset.tab === tab));
        $(button.dataset.tab).hidden = button.dataset.tab !== tab;
      }
      $("filter").hidden = tab !== "events";
      drawBeside();
    }
  });
  $("filter").querySelector("select").addEventListener("change", (event) => {
    $("events").className = `tab ${event.target.value}`;
    drawBeside();
  });
  $("slider").max = steps.length - 1;
  $("slider").addEventListener("input", (event) => { pause(); go(+event.target.value); });

  const KEYS = {
    ArrowRight: "next", ArrowLeft: "back", PageDown: "turn-next", PageUp: "turn-back", Home: "first", End: "last",
    " ": "play", "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", "0": "fit", t: "theme", T: "theme", "?": "help",
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open || event.target.tagName === "SELECT") return;
    let name = KEYS[event.key];
    if (event.shiftKey && name === "next") name = "decision-next";
    if (event.shiftKey && name === "back") name = "decision-back";
    if (!name) return;
    event.preventDefault();
    act(name);
  });

  // ---- start

  {
    const spans = []; // the timeline's band: a piece a turn
    headings.forEach((heading, at) => {
      if (isTurn(at)) {
        const first = heading.round > 0 && heading.round !== headings[at - 1]?.round;
        spans.push({ turn: heading.turn, moment: heading.round > 0 ? `Round ${heading.round}` : heading.moment, round: heading.round, first, count: 0 });
      }
      spans[spans.length - 1].count++;
    });
    for (const span of spans) {
      const piece = $("turns").appendChild(element("i", `t${span.turn}`));
      piece.style.flex = `${span.count} 1 0`;
      piece.title = span.moment;
      if (span.first) piece.textContent = `R${span.round}`;
    }
  }
  root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  fill("about", data.about);
  look(whole);
  const wished = /^#step=(\d+)$/.exec(location.hash);
  go(wished ? +wished[1] : 0);

  // For programs that look at the page.
  window.replay = {
    steps: steps.length, go, at: () => state.at, shape: (key) => state.shapes.get(key), beside: (key) => state.beside.get(key),
    keys: () => [...state.shapes.keys()], element: (key) => drawn.get(key)?.element,
  };
})();
