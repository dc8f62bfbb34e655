// The games of a server, and a new one. Stands behind board.js.
"use strict";

(() => {
  const data = JSON.parse($("data").textContent);
  const SEATS = { "-1": "watch", 0: "player 0", 1: "player 1" };

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
  }

  const who = [[data.person, "a person"], ...data.policies.map((name) => [name, name])];
  fill($("ruleset"), data.rulesets.map(({ id, game }) => [id, game]), "w10");
  fill($("seat0"), who, data.person);
  fill($("seat1"), who, "greedy");
  $("ruleset").addEventListener("change", battles);
  battles();

  function links(found) {
    const made = element("span", "links");
    for (const [seat, address] of Object.entries(found)) {
      const link = made.appendChild(element("a", "", SEATS[seat]));
      link.href = address;
    }
    return made;
  }

  const list = $("games");
  if (!data.games.length) list.append(element("li", "note", "None yet."));
  for (const game of data.games) {
    const item = list.appendChild(element("li"));
    if (game.fault) { item.append(element("span", "who", game.fault)); continue; }
    item.append(element("b", "", game.battle), element("span", "who", game.agents.join(" against ")));
    const points = `${game.points[0]} : ${game.points[1]}`;
    const stand = game.over ? "over" : game.round ? `round ${game.round}` : "before the battle";
    item.append(element("span", "", `${stand}, ${points}`), links(game.links));
  }

  $("new").addEventListener("submit", async (event) => {
    event.preventDefault();
    const wish = { battle: $("battle").value, agents: [$("seat0").value, $("seat1").value] };
    if ($("detail").value) wish.detail = $("detail").value;
    $("wrong").hidden = true;
    const button = event.target.querySelector("button");
    button.disabled = true;
    try {
      const answer = await fetch("/games", {
        method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(wish),
      });
      const told = await answer.json();
      if (!answer.ok) throw new Error(told.error);
      const found = Object.values(told.links);
      if (found.length === 1) { location.href = found[0]; return; }
      $("begun").replaceChildren(element("p", "", "Each player opens one of these, on this machine or another:"), links(told.links));
      $("begun").hidden = false;
    } catch (error) {
      $("wrong").textContent = error.message;
      $("wrong").hidden = false;
    } finally {
      button.disabled = false;
    }
  });
})();
