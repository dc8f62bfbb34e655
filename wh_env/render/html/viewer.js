// Shows a replay: every step changes some shapes on the table and some values beside it. Stands behind board.js.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("replay").textContent);
  const steps = data.steps;
  const START = 0, DECISION = 1, EVENT = 2;
  const KEYFRAME = 50;
  const svg = $("table");
  const board = makeBoard(svg, data);

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
      changeShapes(this.shapes, step.s, data.usual);
      changeBeside(this.beside, step.b);
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

  // ---- beside the table

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

  $("units").addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-unit]");
    if (row) { board.visit(+row.dataset.unit); openSheets(+row.dataset.unit); }
  });
  $("units").addEventListener("pointerover", (event) => board.light(event.target.closest("tr")?.dataset.unit));

  // A unit and those attached to it, which its name among the units tells ("captain + intercessors").
  const sheets = data.sheets || [], book = makeSheets();
  function openSheets(unit) {
    const own = sheets[unit], row = state.beside.get(`unit${unit}`);
    const names = row ? row[0].split(" + ") : [];
    book.show(unit, [...new Set([...sheets.filter((sheet) => sheet.player === own?.player && names.includes(sheet.unit)), own])].filter(Boolean));
  }
  askForSheets(svg, openSheets, () => true);

  function drawBeside() {
    const step = steps[state.at];
    drawSeats(state.beside, data.players);
    fill("words", step.w);
    drawDice($("dice"), step.l, step.d);
    if (step.d && step.o) $("dice").lastChild.classList.add("fresh");
    const rule = data.rules[step.r] || { title: "", id: "", where: "", text: "" };
    $("rule").style.visibility = rule.id ? "visible" : "hidden";
    fill("rule-title", rule.title);
    $("rule-where").replaceChildren(element("code", "", rule.id), rule.where);
    fill("rule-text", rule.text);
    fill("count", `step ${state.at} of ${steps.length - 1}`);
    $("slider").value = state.at;
    document.querySelector("#events .current")?.classList.remove("current");
    rows[state.at].classList.add("current");
    if (!$("units").hidden) drawUnits($("units"), state.beside, data.players);
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
    board.draw(state.shapes);
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

  const does = {
    first: () => go(0), last: () => go(steps.length - 1), next: () => go(state.at + 1), back: () => go(state.at - 1),
    "decision-next": () => hunt(isDecision, 1), "decision-back": () => hunt(isDecision, -1),
    "turn-next": () => hunt(isTurn, 1), "turn-back": () => hunt(isTurn, -1),
    "zoom-in": () => board.zoom(1.4), "zoom-out": () => board.zoom(1 / 1.4), fit: () => board.fit(),
    theme: () => otherTheme(),
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
    // A new round may be told before the turn of the other player begins.
    for (const [at, span] of spans.entries()) {
      if (span.first && span.count < 3 && spans[at + 1]?.round === span.round) { span.first = false; spans[at + 1].first = true; }
    }
    for (const span of spans) {
      const piece = $("turns").appendChild(element("i", `t${span.turn}`));
      piece.style.flex = `${span.count} 1 0`;
      piece.title = span.moment;
      if (span.first) piece.textContent = `R${span.round}`;
    }
  }
  fill("about", data.about);
  const wished = /^#step=(\d+)$/.exec(location.hash);
  go(wished ? +wished[1] : 0);

  // For programs that look at the page.
  window.replay = {
    steps: steps.length, go, at: () => state.at, shape: (key) => state.shapes.get(key), beside: (key) => state.beside.get(key),
    keys: () => [...state.shapes.keys()], element: board.element,
  };
  drawCharts(data);
})();
