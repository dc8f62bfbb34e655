// Plays a game: shows what a seat sees, and turns what is legal into what can be clicked. Stands behind board.js. Knows no game.
"use strict";

(() => {
  const page = JSON.parse($("data").textContent);
  const WATCHER = -1, DECISION = 1;
  const SHARE = 0.9; // of its cell that a place fills
  const CELLS = 38, GHOSTS = 41, RINGS = 79; // layers of the drawing
  const LOOK_AFTER = 70, WRONG_FOR = 5000, RETRY = [300, 700, 1500, 3000, 5000]; // milliseconds
  const HIT = 24; // pixels: places with a shorter side are hard to hit, so the table comes nearer
  const ALMOST = 1.6; // places that fill so many views are looked at from nearer at once, more of them after a click
  const LARGE = 8; // options that are so many are written short
  const svg = $("table");
  const root = document.documentElement;

  let board = null, game = null; // game: the last state that was sent, brought up to date
  const shapes = new Map(), beside = new Map(), rules = new Map();
  let queue = [], waiting = 0; // frames that are still to be shown
  let chosen = null; // the option that is looked at
  let near = null; // where one looked before the table was brought near
  let socket = null, tries = 0;
  const byAction = new Map(), buttons = new Map(), cells = new Map(); // of the waiting decision

  // ---- the connection

  function connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(`${scheme}//${location.host}${page.socket}${location.search}`);
    socket.addEventListener("open", () => { tries = 0; connected(true); sayPace(); });
    socket.addEventListener("message", (event) => hear(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      connected(false);
      sent = -1; // whether it was heard is seen when the state comes
      if (event.code === 1008) { wrong("This address has no key to the game, or a wrong one."); return; }
      setTimeout(connect, RETRY[Math.min(tries++, RETRY.length - 1)]);
    });
  }

  function connected(on) {
    $("connection").className = on ? "on" : "";
    $("connection").textContent = on ? "connected" : "connection lost, trying again";
  }

  function say(message) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    else wrong("There is no connection to the server.");
  }

  const HEARD = {
    state(message) { begin(message); },
    frame(message) { queue.push(message); if (!waiting) show(); },
    look(message) { if (message.at === game.at && message.action === chosen?.a) drawLook(message); },
    hint(message) { if (message.at === game.at) drawHint(message); },
    sheet(message) { book.show(message.unit, message.sheets, message.odds); },
    odds(message) { if (message.at === game.at) drawOdds(message.odds); },
    error(message) {
      if (message.do === "look") return; // what was looked at is past
      wrong(message.error);
      if (message.do === "hint") $("advice").hidden = true; else sent = -1;
    },
    failed(message) { game.failed = message.words; drawAsk(); },
  };
  function hear(message) { HEARD[message.type]?.(message); }

  let wrongFor = 0;
  function wrong(words) {
    $("wrong").textContent = words;
    $("wrong").hidden = false;
    clearTimeout(wrongFor);
    wrongFor = setTimeout(() => { $("wrong").hidden = true; }, WRONG_FOR);
  }

  // ---- what is shown

  function begin(state) {
    clearTimeout(waiting);
    queue = []; waiting = 0;
    if (!board) board = makeBoard(svg, state);
    game = state;
    shapes.clear(); beside.clear();
    changeShapes(shapes, state.shapes, game.usual);
    changeBeside(beside, state.beside);
    learn(state.rules);
    $("events").replaceChildren();
    scores = [];
    ended = false;
    heading = null;
    write(state.log, false);
    draw(false);
    for (const player of [0, 1]) document.querySelector(`.seat.p${player} .you`).hidden = game.seat !== player;
    $("about").textContent = game.agents.map((agent, seat) => (game.persons[seat] ? "a person" : agent)).join(" against ");
    document.title = `${game.players[0]} against ${game.players[1]}`;
  }

  function show() {
    waiting = 0;
    let frame;
    while ((frame = queue.shift())) {
      apply(frame);
      const own = frame.log.some((line) => line.k === DECISION && line.p === game.seat);
      const pause = own ? 0 : +$("pace").value;
      if (queue.length && pause) { waiting = setTimeout(show, pause); break; }
      if (pause && !queue.length) { waiting = setTimeout(show, pause); break; }
    }
    $("skip").hidden = queue.length < 3;
  }

  function skip() {
    clearTimeout(waiting);
    for (const frame of queue.splice(0)) apply(frame);
    show();
  }

  function apply(frame) {
    changeShapes(shapes, frame.shapes, game.usual);
    changeBeside(beside, frame.beside);
    learn(frame.rules);
    for (const name of ["at", "ask", "undo", "stays", "over", "waits"]) game[name] = frame[name];
    write(frame.log, true);
    draw(true);
  }

  function learn(cards) { for (const [rule, card] of Object.entries(cards)) rules.set(rule, card); }

  function draw(glide) {
    svg.classList.toggle("glide", glide);
    board.draw(shapes);
    drawSeats(beside, game.players);
    if (!$("units").hidden) drawUnits($("units"), beside, game.players);
    drawAsk();
  }

  // ---- the end

  let ended = false;
  function drawEnd() {
    if (ended) return;
    ended = true;
    const left = [0, 0], most = [0, 0];
    for (const [key, row] of beside) {
      if (key.startsWith("unit")) { left[row[1]] += row[4]; most[row[1]] += row[5]; }
    }
    const list = element("ul");
    for (const player of [0, 1]) {
      const points = beside.get(`seat${player}`)[0], share = Math.round(100 * left[player] / Math.max(1, most[player]));
      list.append(element("li", `p${player}`, `${game.players[player]}: ${points} victory points, ${share} % of its wounds left`));
    }
    const panel = element("div");
    panel.id = "charts";
    $("score").replaceChildren(list, panel);
    const lines = [0, 1].map((player) => scores.map((one) => one.points[player]));
    const rounds = scores.flatMap((one, at) => (one.round > (scores[at - 1]?.round ?? 0) ? [[at, one.round]] : []));
    if (scores.length) drawChart(panel, { title: "Victory points", lines, most: evenTop(lines), rounds })(scores.length - 1);
    $("replay").href = page.replay + location.search;
  }

  // ---- the log

  let heading = null, list = null;
  let scores = []; // for each line of the log: the round, and the points of both players

  function write(lines, fresh) {
    const log = $("events");
    for (const old of log.querySelectorAll(".fresh")) old.classList.remove("fresh");
    for (const line of lines) {
      if (line.m !== heading) {
        heading = line.m;
        log.append(element("h3", `t${line.t}`, heading));
        list = log.appendChild(element("ol"));
      }
      scores.push({ round: line.n, points: line.v });
      const kind = line.k === DECISION ? `decision p${line.p}` : "event";
      const item = list.appendChild(element("li", kind + (line.d ? " die" : "") + (fresh ? " fresh" : ""), line.w));
      if (line.d) drawDice(item.appendChild(element("span", "dice")), "", line.d);
      if (line.r) { item.dataset.rule = line.r; item.title = "Click for the rule"; }
    }
    follow();
  }

  // The log follows what happens unless somebody reads further up.
  let follows = true;
  function follow() { const log = $("events"); if (follows) log.scrollTop = log.scrollHeight; }
  $("events").addEventListener("scroll", () => {
    const log = $("events");
    if (log.clientHeight === shownHigh) follows = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  });
  let shownHigh = 0;
  new ResizeObserver(() => { shownHigh = $("events").clientHeight; follow(); }).observe($("events"));

  $("events").addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (item && !event.target.closest(".card")) openRule(item);
  });

  function openRule(item) {
    const open = item.querySelector(".card");
    if (open) { open.remove(); return; }
    const card = rules.get(item.dataset.rule);
    if (!card) return;
    const made = element("div", "card");
    made.append(element("b", "", card.title), " ", element("code", "", item.dataset.rule), " ", element("span", "", card.where), "\n", card.text);
    item.append(made);
  }

  // In the log, arrows choose a line and Enter opens its rule.
  function readsLog(key) {
    const lines = [...$("events").querySelectorAll("li[data-rule]")], now = $("events").querySelector(".current");
    if (key === "Enter" && now) { openRule(now); return true; }
    if (!lines.length || (key !== "ArrowUp" && key !== "ArrowDown")) return false;
    const at = now ? lines.indexOf(now) + (key === "ArrowUp" ? -1 : 1) : lines.length - 1;
    const next = lines[Math.max(0, Math.min(lines.length - 1, at))];
    now?.classList.remove("current");
    next.classList.add("current");
    next.id = "line"; now?.removeAttribute("id");
    $("events").setAttribute("aria-activedescendant", "line");
    next.scrollIntoView({ block: "nearest" });
    return true;
  }

  // ---- what is asked

  function common(words) { // what all begin and end with, whole words
    let from = 0, to = 0;
    const least = Math.min(...words.map((one) => one.length));
    while (from < least && words.every((one) => one[from] === words[0][from])) from++;
    while (to < least - from && words.every((one) => one[one.length - 1 - to] === words[0][words[0].length - 1 - to])) to++;
    while (from > 0 && words[0][from - 1] !== " ") from--;
    while (to > 0 && words[0][words[0].length - to] !== " ") to--;
    return [from, to];
  }

  function drawAsk() {
    const ask = queue.length ? null : game.ask;
    clear();
    $("ask").classList.toggle("mine", Boolean(ask));
    const question = $("question"), options = $("options");
    keys ||= options.contains(document.activeElement);
    options.replaceChildren();
    $("advice").hidden = true;
    $("advised").replaceChildren();
    $("end").hidden = !game.over;
    if (game.over) drawEnd();
    $("undo").disabled = !game.undo || queue.length > 0;
    $("undo").title = game.undo ? "Take back what you did last (U)" : game.stays;
    $("hint").disabled = !ask;
    $("hint").title = "What policies would do, and the odds (H)";
    $("stays").textContent = game.undo || game.seat === WATCHER ? "" : `No undo: ${game.stays}.`;
    for (const id of ["undo", "hint"]) $(id).hidden = game.seat === WATCHER;
    if (!ask) {
      question.textContent = game.over ? beside.get("asked") || "The battle is over" : game.failed || game.waits || beside.get("asked") || "…";
      $("what").textContent = "";
      return;
    }
    question.replaceChildren(ask.title, ...(ask.about ? [": ", element("small", "", ask.about)] : []));
    $("what").textContent = ask.question;
    const groups = new Map();
    for (const option of ask.options) {
      byAction.set(option.a, option);
      if (option.s === "cell" && option.x !== undefined) continue;
      if (!groups.has(option.s)) groups.set(option.s, []);
      groups.get(option.s).push(option);
    }
    drawCells(ask);
    let number = 0;
    const order = ["option", "own", "enemy", "model", "number", "angle", "cell", "done"];
    for (const segment of order.filter((name) => groups.has(name))) {
      const members = groups.get(segment);
      const words = members.map((option) => option.w);
      const [from, to] = members.length > 1 ? common(words) : [0, 0];
      const many = members.length > LARGE;
      const about = words[0].slice(0, from).replace(/[:\s]+$/, "");
      const cut = many || (about && ask.about.endsWith(about)); // what all of them say is said once
      const labels = words.map((one) => (cut ? one.slice(from, many ? one.length - to : undefined).trim() || one : one));
      const small = labels.every((label) => label.length <= (many ? 12 : 20));
      const group = options.appendChild(element("div", `group ${small ? (many ? "" : "half") : "wide"}`));
      if (many && from + to > 0) {
        group.append(element("span", "lead", `${words[0].slice(0, from)}… ${words[0].slice(words[0].length - to)}`.trim()));
      }
      for (const [at, option] of members.entries()) {
        const button = group.appendChild(element("button", segment, labels[at]));
        button.dataset.action = option.a;
        if (labels[at] !== option.w) button.title = option.w;
        if (segment === "done") button.append(element("kbd", "", "D"));
        else if (++number <= 9 && !(small && many)) { button.append(element("kbd", "", String(number))); button.dataset.number = number; }
        if (option.u >= 0) button.style.setProperty("--own", `var(--p${game.seat})`), button.style.setProperty("--enemy", `var(--p${1 - game.seat})`);
        buttons.set(option.a, button);
      }
    }
    mark(ask);
    if (keys) options.querySelector("button")?.focus();
  }

  let keys = false; // whether options are chosen by keys, so that the first one gets the focus
  addEventListener("pointerdown", () => { keys = false; }, true);

  function stepOptions(way) {
    const all = [...buttons.values()], at = all.indexOf(document.activeElement);
    if (all.length) all[at < 0 ? 0 : (at + way + all.length) % all.length].focus();
    return all.length > 0;
  }

  // Units and models on the table that stand for an option.
  function mark(ask) {
    for (const [key, shape] of shapes) {
      const made = shape.u >= 0 || key[0] === "m" ? board.element(key) : null;
      if (!made) continue;
      delete made.dataset.pick;
      made.classList.remove("model-pick");
    }
    if (!ask) return;
    const units = new Map();
    for (const option of ask.options) {
      if (option.u >= 0) units.set(option.u, option.a);
      if (option.m >= 0) {
        const made = board.element(`m${option.m}`);
        if (made) { made.dataset.pick = option.a; made.classList.add("model-pick"); }
      }
    }
    for (const [key, shape] of shapes) {
      if (units.has(shape.u)) { const made = board.element(key); if (made) made.dataset.pick = units.get(shape.u); }
    }
  }

  let layer = null, looked = null; // overlays

  function clear() {
    layer?.remove(); looked?.remove();
    layer = looked = null;
    if (near) { board.look(near); near = null; }
    byAction.clear(); buttons.clear(); cells.clear();
    choose(null);
    mark(null);
  }

  // Sides of a place, of the drawing; of places in a row both are its spacing.
  const sides = ([a, b]) => [board.px(a || b), board.px(b || a)];

  function square(parent, option, spacing, share, kind) {
    const [w, h] = sides(spacing).map((side) => side * share);
    return drawing("rect", {
      class: kind, x: board.px(option.x) - w / 2, y: board.py(option.y) - h / 2, width: w, height: h, rx: Math.min(w, h) / 4,
    }, parent);
  }

  function drawCells(ask) {
    const places = ask.options.filter((option) => option.s === "cell" && option.x !== undefined);
    if (!places.length || !ask.spacing) return;
    layer = drawing("g", { class: "cells" }, board.layer(CELLS));
    for (const option of places) {
      const cell = square(layer, option, ask.spacing, SHARE, "cell");
      cell.dataset.pick = option.a;
      cells.set(option.a, cell);
    }
    if (fine()) return;
    const xs = places.map((option) => board.px(option.x)), ys = places.map((option) => board.py(option.y));
    const box = { x0: Math.min(...xs), x1: Math.max(...xs), y0: Math.min(...ys), y1: Math.max(...ys) };
    const w = viewOfPlaces(), h = w * board.view().h / board.view().w;
    if (box.x1 - box.x0 > ALMOST * w || box.y1 - box.y0 > ALMOST * h) return; // a click brings the table near
    approach((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, box);
    step(0, 0); // the middle is as good as any
  }

  // Whether the places that are asked for are large enough to hit.
  const shorter = () => SHARE * Math.min(...sides(game.ask.spacing));
  const fine = () => shorter() * board.pixels() > HIT - 0.5;
  const viewOfPlaces = () => board.wide(shorter(), HIT + 1);

  // Bring the table near enough, with (x, y) where it is on the screen, and what lies in the box in sight.
  function approach(x, y, box = null) {
    const now = board.view(), w = Math.min(now.w, viewOfPlaces()), share = w / now.w, h = now.h * share;
    const within = (from, low, high, length) => (high - low > length ? (low + high - length) / 2 : Math.max(high - length, Math.min(low, from)));
    const to = { x: x - (x - now.x) * share, y: y - (y - now.y) * share, w };
    if (box) { to.x = within(to.x, box.x0 - w / 9, box.x1 + w / 9, w); to.y = within(to.y, box.y0 - h / 9, box.y1 + h / 9, h); }
    near ??= now;
    board.look(to, w);
  }

  // ---- choosing and doing

  let lookAfter = 0;

  function choose(option, go = false) {
    if (option === chosen && option !== null && !go) return;
    for (const made of [buttons.get(chosen?.a), cells.get(chosen?.a)]) made?.classList.remove("chosen");
    looked?.remove(); looked = null;
    clearTimeout(lookAfter);
    chosen = option;
    $("tip").hidden = !option || go;
    $("odds").hidden = true;
    $("go").hidden = !(option && go);
    if (!option) return;
    for (const made of [buttons.get(option.a), cells.get(option.a)]) made?.classList.add("chosen");
    $("tip").textContent = option.w;
    $("go").textContent = option.w;
    board.light(option.u >= 0 ? option.u : undefined);
    if (option.u >= 0) ring(option.u);
    lookAfter = setTimeout(() => { if (game.ask && chosen === option) say({ do: "look", at: game.at, action: option.a }); }, LOOK_AFTER);
  }

  function overlay() {
    if (!looked) looked = drawing("g", { class: "ghosts" }, board.layer(RINGS));
    return looked;
  }

  function ring(unit) {
    for (const shape of shapes.values()) {
      if (shape.u !== unit || !shape.n) continue;
      drawing("circle", { class: "ring", cx: board.px(shape.x), cy: board.py(shape.y), r: Math.abs(board.px(Math.max(shape.a, shape.b))) + 6 }, overlay());
    }
  }

  // What an option would lead to: where models would stand, which places and units could be chosen then.
  function drawLook(message) {
    const over = overlay();
    for (const change of Object.values(message.shapes)) over.append(board.build({ ...game.usual, ...change }));
    const then = message.ask;
    if (message.odds?.length) {
      const list = element("ul");
      for (const line of message.odds) list.append(element("li", "", line));
      $("odds").replaceChildren(list);
      $("odds").hidden = false;
    }
    if (message.dice) { alsoTell("dice will be rolled"); return; }
    if (!then || then.unit < 0 || (then.unit !== game.ask.unit && then.unit !== chosen.u)) return;
    const names = [];
    for (const option of then.options) {
      if (option.x !== undefined) square(over, option, then.spacing, 0.45, "then");
      else if (option.u >= 0) { ring(option.u); names.push(option.w); } else names.push(option.w);
    }
    const told = names.length > 5 ? `${names.slice(0, 5).join(", ")}, …` : names.join(", ");
    if (told) alsoTell(`then: ${told}`);
  }

  function alsoTell(words) { // below the words of the option, or alone where the button has them
    const lead = $("go").hidden ? [chosen.w, " · "] : [];
    $("tip").replaceChildren(...lead, element("small", "", words));
    $("tip").hidden = false;
  }

  let sent = -1; // the change that was answered last
  function act(option) {
    if (!option || !game.ask || queue.length || sent === game.at) return;
    clearTimeout(lookAfter);
    if (socket?.readyState === WebSocket.OPEN) sent = game.at;
    say({ do: "act", at: game.at, action: option.a });
  }

  // The option that an event means; of places, also one that lies under a base.
  const optionAt = (event) => {
    let made = event.target.closest?.("[data-pick],[data-action]");
    if (!made && cells.size && event.clientX !== undefined && svg.contains(event.target)) {
      made = document.elementsFromPoint(event.clientX, event.clientY).find((one) => one.matches(".cell"));
      if (!made && !fine()) return placeNear(event);
    }
    return made ? byAction.get(+(made.dataset.pick ?? made.dataset.action)) ?? null : null;
  };

  // The place next to a point of the screen, if it is as near as that of a place which is large enough would be.
  function placeNear(event) {
    const at = board.point(event);
    let best = null, least = HIT / board.pixels();
    for (const action of cells.keys()) {
      const option = byAction.get(action), [a, b] = sides(game.ask.spacing).map((side) => side / 2);
      const away = Math.hypot(Math.max(0, Math.abs(at.x - board.px(option.x)) - a), Math.max(0, Math.abs(at.y - board.py(option.y)) - b));
      if (away < least) { best = option; least = away; }
    }
    return best;
  }

  // A mouse shows by pointing and does by clicking; a finger shows by the first tap and does by the second.
  let finger = false;
  addEventListener("pointerdown", (event) => { finger = event.pointerType === "touch"; }, true);
  for (const area of [svg, $("options")]) {
    area.addEventListener("click", (event) => {
      const option = optionAt(event);
      if (!option) return;
      if (cells.has(option.a) && !fine()) { approach(board.px(option.x), board.py(option.y)); choose(option, true); return; }
      const seen = option === chosen || !finger || area !== svg;
      if (seen) act(option); else choose(option, true);
    });
    const point = (event) => {
      if (event.pointerType === "touch") return;
      const option = optionAt(event);
      if (option) choose(option);
    };
    area.addEventListener("pointerover", point);
    area.addEventListener("pointermove", point); // from place to place below one base
    area.addEventListener("focusin", (event) => { const option = optionAt(event); if (option && !finger) choose(option); });
  }
  $("go").addEventListener("click", () => act(chosen));

  function step(dx, dy) { // to the next place in a direction
    if (!cells.size) return false;
    const places = [...cells.keys()].map((action) => byAction.get(action));
    if (!chosen || chosen.x === undefined) {
      const x = places.reduce((sum, one) => sum + one.x, 0) / places.length, y = places.reduce((sum, one) => sum + one.y, 0) / places.length;
      choose(places.reduce((best, one) => (Math.hypot(one.x - x, one.y - y) < Math.hypot(best.x - x, best.y - y) ? one : best)), true);
      return true;
    }
    let best = null, least = Infinity;
    for (const one of places) {
      const along = (one.x - chosen.x) * dx + (one.y - chosen.y) * dy, across = Math.abs((one.x - chosen.x) * dy) + Math.abs((one.y - chosen.y) * dx);
      if (along > 1e-6 && along + 3 * across < least) { best = one; least = along + 3 * across; }
    }
    if (best) { choose(best, true); inSight(best); }
    return true;
  }

  function inSight(option) {
    const view = board.view(), x = board.px(option.x), y = board.py(option.y);
    if (x > view.x && x < view.x + view.w && y > view.y && y < view.y + view.h) return;
    near ??= view;
    board.look({ x: x - view.w / 2, y: y - view.h / 2, w: view.w }, view.w);
  }

  // ---- hints

  function drawHint(message) {
    const advice = $("advised");
    const line = element("div", "one");
    line.append(element("b", "", message.policy));
    if (message.error) line.append(element("span", "none", message.error));
    else {
      const button = line.appendChild(element("button", "", message.words));
      button.addEventListener("click", () => choose(byAction.get(message.action), true));
      for (const made of [buttons.get(message.action), cells.get(message.action)]) made?.classList.add("advised");
    }
    advice.insertBefore(line, advice.querySelector(".waiting, details"));
    if (advice.querySelectorAll(".one").length === page.advisers) advice.querySelector(".waiting")?.remove();
  }

  function drawOdds(odds) {
    const advice = $("advised");
    if (!odds.length) return;
    const details = advice.appendChild(element("details"));
    details.open = true;
    details.append(element("summary", "", "The odds behind it"));
    for (const pair of odds) {
      details.append(element("b", "", `${pair.names[0]} and ${pair.names[1]}`));
      const list = details.appendChild(element("ul"));
      for (const line of pair.lines) list.append(element("li", "", line));
    }
  }

  // ---- buttons and keys

  function sayPace() {
    if (page.seat === WATCHER && socket?.readyState === WebSocket.OPEN) say({ do: "pace", pause: +$("pace").value });
  }

  const does = {
    close: () => { $("advice").hidden = true; },
    "zoom-in": () => board.zoom(1.4), "zoom-out": () => board.zoom(1 / 1.4), fit: () => { near = null; board.fit(); }, theme: () => otherTheme(),
    sheet: () => askSheet(chosen?.u ?? game.ask?.unit ?? -1),
    help: () => $("help").showModal(), skip: () => skip(),
    undo: () => { if (!$("undo").disabled) say({ do: "undo", at: game.at }); },
    hint: () => {
      if ($("hint").disabled) return;
      $("advised").replaceChildren(element("p", "none waiting", "thinking…"));
      $("advice").hidden = false;
      $("advice").scrollTop = 0;
      say({ do: "hint", at: game.at });
    },
    done: () => act(game.ask?.options.find((option) => option.s === "done")),
  };

  document.addEventListener("click", (event) => {
    const name = event.target.closest("[data-do]")?.dataset.do;
    if (name) does[name]();
    const tab = event.target.closest("[data-tab]")?.dataset.tab;
    if (!tab) return;
    for (const button of document.querySelectorAll("[data-tab]")) {
      button.setAttribute("aria-selected", String(button.dataset.tab === tab));
      $(button.dataset.tab).hidden = button.dataset.tab !== tab;
    }
    $("filter").hidden = tab !== "events";
    if (tab === "units") drawUnits($("units"), beside, game.players);
  });
  $("filter").querySelector("select").addEventListener("change", (event) => { $("events").className = `tab ${event.target.value}`; });
  $("units").addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row) { board.visit(+row.dataset.unit); askSheet(+row.dataset.unit); }
  });

  const book = makeSheets();
  function askSheet(unit) { if (unit >= 0) say({ do: "sheet", unit }); }
  askForSheets(svg, askSheet, (event) => !optionAt(event)); // what is an option is chosen by a click
  $("units").addEventListener("pointerover", (event) => board?.light(event.target.closest("tr")?.dataset.unit));

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const KEYS = {
    "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", 0: "fit", t: "theme", "?": "help", u: "undo", h: "hint", d: "done", i: "sheet", " ": "skip",
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (!game || event.ctrlKey || event.metaKey || event.altKey || $("help").open || target.tagName === "SELECT") return;
    const typed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (target === $("events") && readsLog(typed)) { event.preventDefault(); return; }
    if (ARROWS[typed]) {
      const [dx, dy] = ARROWS[typed];
      if (!target.closest("#events, #units, #advice, #sheet, nav") && (step(dx, dy) || stepOptions(dx - dy))) event.preventDefault();
      return;
    }
    if (typed === "Escape") { choose(null); return; }
    if (typed === "Enter") { if (chosen && target.tagName !== "BUTTON") { event.preventDefault(); act(chosen); } return; }
    if (typed === " " && (target.tagName === "BUTTON" || target.tagName === "SUMMARY")) return;
    if (/^[1-9]$/.test(typed)) { document.querySelector(`#options [data-number="${typed}"]`)?.click(); return; }
    if (!KEYS[typed]) return;
    event.preventDefault();
    does[KEYS[typed]]();
  });

  try {
    const pace = new URLSearchParams(location.search).get("pace") ?? localStorage.getItem("pace");
    if ([...$("pace").options].some((option) => option.value === pace)) $("pace").value = pace;
  } catch { /* a browser may keep nothing */ }
  $("pace").addEventListener("change", () => {
    try { localStorage.setItem("pace", $("pace").value); } catch { /* the same */ }
    sayPace();
  });
  connect();

  // For programs that look at the page.
  window.play = {
    game: () => game, shape: (key) => shapes.get(key), beside: (key) => beside.get(key), drop: () => socket.close(),
    busy: () => !game || queue.length > 0 || sent === game.at, element: (key) => board?.element(key),
  };
})();
