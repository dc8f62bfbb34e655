// How a battle went: victory points, strength and the chance to win over its steps, in a tab of their own. A click goes to that step.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("replay").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const WIDE = 600, HIGH = 170, LEFT = 34, RIGHT = 8, TOP = 8, BOTTOM = 18;
  const last = Math.max(1, data.steps.length - 1);

  // ---- what is drawn: for each step a value of each player

  const points = [[], []], strength = [[], []], chance = [[], []];
  const rounds = []; // steps at which a battle round begins
  {
    const units = new Map(), score = [0, 0];
    let likely = null, round = 0;
    for (const [at, step] of data.steps.entries()) {
      for (const [key, value] of Object.entries(step.b || {})) {
        if (key.startsWith("unit")) { if (value === null) units.delete(key); else units.set(key, value); }
        if (key === "seat0" || key === "seat1") score[+key.slice(4)] = value[0];
        if (key === "chance") likely = value;
        if (key === "round" && value > round) { round = value; rounds.push([at, round]); }
      }
      const left = [0, 0], most = [0, 0];
      for (const row of units.values()) { left[row[1]] += row[4]; most[row[1]] += row[5]; }
      for (const player of [0, 1]) {
        points[player].push(score[player]);
        strength[player].push(most[player] ? 100 * left[player] / most[player] : 0);
        chance[player].push(likely === null ? null : 100 * (player ? 1 - likely : likely));
      }
    }
  }

  // ---- drawing

  function make(name, attributes, parent, words = "") {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (words) element.textContent = words;
    parent.append(element);
    return element;
  }

  const x = (at) => LEFT + (WIDE - LEFT - RIGHT) * at / last;
  const cursors = [];

  function chart(parent, title, unit, lines, most, about = "") {
    const figure = parent.appendChild(document.createElement("figure"));
    const caption = figure.appendChild(document.createElement("figcaption"));
    caption.textContent = title;
    const told = caption.appendChild(document.createElement("span"));
    const svg = make("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": title }, figure);
    const y = (value) => HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * value / most;
    for (const [at, round] of rounds) {
      make("line", { class: "rule", x1: x(at), x2: x(at), y1: TOP, y2: HIGH - BOTTOM }, svg);
      make("text", { x: x(at) + 3, y: HIGH - 5 }, svg, `R${round}`);
    }
    for (const value of [0, most / 2, most]) {
      make("line", { class: "rule", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }, svg);
      make("text", { class: "scale", x: LEFT - 4, y: y(value) + 4 }, svg, `${+value.toFixed(1)}`);
    }
    for (const [player, values] of lines.entries()) {
      let path = "", before = null;
      for (const [at, value] of values.entries()) {
        if (value !== before && value !== null) {
          path += before === null ? `M${x(at).toFixed(1)} ${y(value).toFixed(1)}` : `H${x(at).toFixed(1)}V${y(value).toFixed(1)}`;
        }
        if (value !== null) before = value;
      }
      if (path) make("path", { class: `line p${player}`, d: `${path}H${x(last).toFixed(1)}` }, svg);
    }
    const cursor = make("line", { class: "cursor", y1: TOP, y2: HIGH - BOTTOM }, svg);
    cursors.push((at) => {
      cursor.setAttribute("x1", x(at)); cursor.setAttribute("x2", x(at));
      const values = lines.map((line) => line[at]);
      told.replaceChildren(...values.map((value, player) => {
        const part = document.createElement("b");
        part.className = `p${player}`;
        part.textContent = value === null ? "" : `${+value.toFixed(0)}${unit}`;
        return part;
      }));
    });
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const across = (event.clientX - box.left) / box.width * WIDE;
      window.replay.go(Math.round((across - LEFT) / (WIDE - LEFT - RIGHT) * last));
    });
    if (about) figure.appendChild(document.createElement("p")).textContent = about;
  }

  const tab = document.createElement("button");
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-selected", "false");
  tab.dataset.tab = "charts";
  tab.textContent = "Charts";
  document.querySelector('nav [data-tab="units"]').after(tab);
  const panel = document.createElement("div");
  panel.id = "charts";
  panel.className = "tab";
  panel.hidden = true;
  document.querySelector("aside").append(panel);
  const top = Math.max(...points.flat(), 1);
  chart(panel, "Victory points", "", points, top % 2 ? top + 1 : top);
  chart(panel, "Strength", " %", strength, 100, "Wounds left, of all that each army began with.");
  if (chance[0].some((value) => value !== null)) chart(panel, "Chance to win", " %", chance, 100, data.judged);

  function follow() { for (const move of cursors) move(window.replay.at()); }
  new MutationObserver(follow).observe(document.getElementById("count"), { childList: true, characterData: true, subtree: true });
  follow();
})();
