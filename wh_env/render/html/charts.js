// How a battle went: values of both players over its steps, as lines. For every page that shows a battle; stands behind board.js.
"use strict";

const CHART = { WIDE: 600, HIGH: 170, LEFT: 34, RIGHT: 8, TOP: 8, BOTTOM: 18 };

// rounds: pairs of a step and the round that begins there. Returns a function that marks a step and tells its values.
function drawChart(parent, { title, unit = "", lines, most, about = "", rounds, go = null }) {
  const { WIDE, HIGH, LEFT, RIGHT, TOP, BOTTOM } = CHART;
  const last = Math.max(1, lines[0].length - 1);
  const x = (at) => LEFT + (WIDE - LEFT - RIGHT) * at / last;
  const y = (value) => HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * value / most;
  const figure = parent.appendChild(element("figure"));
  const caption = figure.appendChild(element("figcaption", "", title));
  const told = caption.appendChild(element("span"));
  const svg = drawing("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": title }, figure);
  const word = (attributes, words) => { drawing("text", attributes, svg).textContent = words; };
  for (const [at, round] of rounds) {
    drawing("line", { class: "rule", x1: x(at), x2: x(at), y1: TOP, y2: HIGH - BOTTOM }, svg);
    word({ x: x(at) + 3, y: HIGH - 5 }, `R${round}`);
  }
  for (const value of [0, most / 2, most]) {
    drawing("line", { class: "rule", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }, svg);
    word({ class: "scale", x: LEFT - 4, y: y(value) + 4 }, `${+value.toFixed(1)}`);
  }
  for (const [player, values] of lines.entries()) {
    let path = "", before = null;
    for (const [at, value] of values.entries()) {
      if (value !== before && value !== null) {
        path += before === null ? `M${x(at).toFixed(1)} ${y(value).toFixed(1)}` : `H${x(at).toFixed(1)}V${y(value).toFixed(1)}`;
      }
      if (value !== null) before = value;
    }
    if (path) drawing("path", { class: `line p${player}`, d: `${path}H${x(last).toFixed(1)}` }, svg);
  }
  const cursor = drawing("line", { class: "cursor", y1: TOP, y2: HIGH - BOTTOM }, svg);
  if (go) {
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left) / box.width * WIDE - LEFT) / (WIDE - LEFT - RIGHT) * last));
    });
  }
  if (about) figure.append(element("p", "", about));
  return (at) => {
    cursor.setAttribute("x1", x(at)); cursor.setAttribute("x2", x(at));
    told.replaceChildren(...lines.map((line, player) => element("b", `p${player}`, line[at] === null ? "" : `${+line[at].toFixed(0)}${unit}`)));
  };
}

const evenTop = (points) => { const top = Math.max(...points.flat(), 1); return top % 2 ? top + 1 : top; };

// The charts of a replay, in a tab of their own. A click goes to that step.
function drawCharts(data) {
  // what is drawn: for each step a value of each player
  const points = [[], []], strength = [[], []], chance = [[], []];
  const rounds = [];
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

  const tab = element("button", "", "Charts");
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-selected", "false");
  tab.dataset.tab = "charts";
  document.querySelector('nav [data-tab="units"]').after(tab);
  const panel = element("div", "tab");
  panel.id = "charts";
  panel.hidden = true;
  document.querySelector("aside").append(panel);
  const shared = { rounds, go: (at) => window.replay.go(at) };
  const cursors = [
    drawChart(panel, { ...shared, title: "Victory points", lines: points, most: evenTop(points) }),
    drawChart(panel, { ...shared, title: "Strength", unit: " %", lines: strength, most: 100, about: "Wounds left, of all that each army began with." }),
  ];
  if (chance[0].some((value) => value !== null)) {
    cursors.push(drawChart(panel, { ...shared, title: "Chance to win", unit: " %", lines: chance, most: 100, about: data.judged }));
  }

  function follow() { for (const move of cursors) move(window.replay.at()); }
  new MutationObserver(follow).observe($("count"), { childList: true, characterData: true, subtree: true });
  follow();
}
