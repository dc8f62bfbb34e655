// The games of a server, and a new one. Stands behind board.js.
"use strict";

(() => {
  const data = JSON.parse($("data").textContent);
  const WATCHER = "-1";

  function fill(select, values, chosen) {
    select.replaceChildren(...values.map(([value, words]) => {
      const option = element("option", "", words);
      option.value = value;
      option.selected = value === chosen;
      return option;
    }));
  }

  function battles() {
    const own = data.battles.filter((name) => name.startsWith(`${$("ruleset").value}/`));
    const small = own.find((name) => /skirmish|bridgehead|patrol/.test(name) && !name.includes("random")) ?? own[0];
    fill($("battle"), own.map((name) => [name, name.split("/")[1].replaceAll("-", " ")]), small);
    armies();
  }

  // ---- armies

  const own = new Map(); // armies that were brought, by id

  function armies() {
    const rules = $("ruleset").value, kept = [$("army0").value, $("army1").value];
    const listed = data.armies.filter((name) => name.startsWith(`${rules}/`)).map((name) => [name, name.split("/")[1].replaceAll("-", " ")]);
    const mine = [...own].filter(([, army]) => army.ruleset === rules).map(([id, army]) => [`own:${id}`, `${army.name}, ${army.points} points (yours)`]);
    for (const side of [0, 1]) fill($(`army${side}`), [["", "that of the battle"], ...mine, ...listed], kept[side]);
  }

  function wrong(words) {
    $("wrong").textContent = words;
    $("wrong").hidden = !words;
  }

  async function answered(answer) {
    const told = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
    if (!answer.ok) throw new Error(told.error);
    return told;
  }

  function lines(title, found, open) {
    const part = element("details");
    part.open = open;
    part.append(element("summary", "", `${title}: ${found.length}`));
    const list = part.appendChild(element("ul"));
    for (const line of found) list.append(element("li", "", line));
    return part;
  }

  function take(army, side) {
    own.set(army.id, army);
    if (![...$("ruleset").options].some((option) => option.value === army.ruleset)) return;
    if (side !== null) { $("ruleset").value = army.ruleset; battles(); $(`army${side}`).value = `own:${army.id}`; } else armies();
    const report = element("section", "report");
    report.append(element("h3", "", army.name), element("p", "note", `${army.faction}, ${army.points} points, from ${army.form}. Read this before you begin:`));
    report.append(lines("Understood", army.taken, true));
    if (army.guessed.length) report.append(lines("Guessed", army.guessed, false));
    if (army.not_played.length) report.append(lines("Not played", army.not_played, true));
    $("reports").prepend(report);
    if (side !== null) report.scrollIntoView({ block: "nearest" });
  }

  async function bring(body, name) {
    wrong("");
    $("read").disabled = $("file").disabled = true;
    try {
      const army = await answered(await fetch(`/armies?file=${encodeURIComponent(name)}`, {
        method: "POST", headers: { "content-type": "application/octet-stream" }, body,
      }));
      take(army, 0);
      const here = new URL(location.href);
      here.searchParams.append("army", army.id);
      history.replaceState(null, "", here);
    } catch (error) {
      wrong(error.message);
    } finally {
      $("read").disabled = $("file").disabled = false;
      $("file").value = "";
    }
  }

  $("file").addEventListener("change", () => { const [file] = $("file").files; if (file) bring(file, file.name); });
  $("read").addEventListener("click", () => bring($("list").value, "your text"));
  $("drop").addEventListener("dragover", (event) => event.preventDefault());
  $("drop").addEventListener("drop", (event) => {
    event.preventDefault();
    const { files } = event.dataTransfer;
    if (files.length === 1) bring(files[0], files[0].name); else wrong("Expected one file at a time.");
  });

  const who = [[data.person, "a person"], ...data.policies.map((name) => [name, name])];
  fill($("ruleset"), data.rulesets.map(({ id, game }) => [id, game]), "w10");
  fill($("seat0"), who, data.person);
  fill($("seat1"), who, "greedy");
  $("ruleset").addEventListener("change", battles);
  battles();
  for (const id of new URLSearchParams(location.search).getAll("army")) {
    fetch(`/armies/${encodeURIComponent(id)}`).then(answered).then((army) => take(army, null)).catch((error) => wrong(error.message));
  }

  function links(found, armies, over = false) {
    const made = element("span", "links"), same = armies[0] === armies[1];
    for (const [seat, address] of Object.entries(found)) {
      const lead = `${over ? "see" : "lead"} ${armies[seat]}${same ? ` (side ${+seat + 1})` : ""}`;
      const link = made.appendChild(element("a", "", seat === WATCHER ? "watch" : lead));
      link.href = address;
    }
    return made;
  }

  for (const [id, over] of [["running", false], ["over", true]]) {
    if (!data.games.some((game) => !game.fault && game.over === over)) $(id).append(element("li", "note", "None yet."));
  }
  for (const game of data.games) {
    const item = $(game.over || game.fault ? "over" : "running").appendChild(element("li"));
    if (game.fault) { item.append(element("span", "who", game.fault)); continue; }
    item.append(element("b", "", game.battle), element("span", "who", game.armies.map((army, side) => `${army} (${game.agents[side] === data.person ? "a person" : game.agents[side]})`).join(" against ")));
    const points = `${game.points[0]} : ${game.points[1]} victory points`;
    const result = game.winner === 0 || game.winner === 1 ? `${game.armies[game.winner]} won` : "a draw";
    const stand = game.over ? result : game.round ? `round ${game.round}` : "before the battle";
    item.append(element("span", "", `${stand}, ${points}`), links(game.links, game.armies, game.over));
  }

  $("new").addEventListener("submit", async (event) => {
    event.preventDefault();
    const wish = { battle: $("battle").value, agents: [$("seat0").value, $("seat1").value] };
    if ($("detail").value) wish.detail = $("detail").value;
    const chosen = [$("army0").value || null, $("army1").value || null];
    if (chosen.some(Boolean)) wish.armies = chosen;
    wrong("");
    const button = event.target.querySelector("button");
    button.disabled = true;
    try {
      const told = await answered(await fetch("/games", {
        method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wish),
      }));
      const found = Object.values(told.links);
      if (found.length === 1) { location.href = found[0]; return; }
      $("begun").replaceChildren(element("p", "", "Each player opens one of these, on this machine or another:"), links(told.links, told.armies));
      $("begun").hidden = false;
    } catch (error) {
      wrong(error.message);
    } finally {
      button.disabled = false;
    }
  });
})();
