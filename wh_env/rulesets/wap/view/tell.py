"""The events of a battle of regiments in the words that players use at the table; for reports, pages and pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wh_env.core.battle import BattleCore
from wh_env.core.events import NONE, Event, Harm, Tally
from wh_env.core.sentences import acting, agreed, agreeing, counted, for_both
from wh_env.rulesets.wap.codes import QUARTERS
from wh_env.rulesets.wap.deployment.divisions import division_of
from wh_env.rulesets.wap.view.phrases import Data, model, place, player, towards, unit, units
from wh_env.rulesets.wap.view.tell_field import FIELD_WORDS
from wh_env.rulesets.wap.view.tell_items import ITEM_WORDS
from wh_env.rulesets.wap.view.tell_magic import MAGIC
from wh_env.rulesets.wap.view.tell_pursuit import PURSUIT_WORDS
from wh_env.rulesets.wap.view.tell_rolls import ROLL_WORDS
from wh_env.rulesets.wap.view.tell_spells import SPELL_WORDS

Tell = Callable[[BattleCore, Data], str]

# the reason for a Leadership test, by the beginning of the rule's id; the longest beginning counts
REASONS: Mapping[str, str] = MappingProxyType(
    {
        "wap.break": "not to break",
        "wap.multi.break": "not to break",
        "wap.panic": "against panic",
        "wap.special.terror": "against terror",
        "wap.special.fear": "against fear",
        "wap.special.frenzy": "to hold its frenzy back",
        "wap.special.hatred": "to restrain itself",
        "wap.special.stupidity": "against stupidity",
        "wap.compulsory.rally": "to rally",
        "wap.move.march": "to march",
        "wap.pursuit.choice": "to restrain itself",
        "wap.charge.redirect": "to redirect its charge",
        "wap.move.reform": "to reform swiftly",
        "wap.command.musician": "to reform swiftly",
        "wap.machine.fire-thrower.panic": "against panic",
        "wap.item.armour.helm-of-discord": "against discord",
    }
)
# the parts of a combat result, in the order of the score sheet
PARTS = ("wounds", "charge", "ranks", "outnumber", "standards", "arcs", "fear", "musician", "high")
# kinds of events that are not told, as other events tell their outcome
UNTOLD = frozenset(
    {"victor", "step", "goes to", "leg", "attacks", "as it stands", "game turn", "aims", "start of turn"}
)
# kinds of events that name a target at which nothing is aimed
UNAIMED = frozenset(
    (
        *("holds", "flees", "accepts", "will pursue", "turns from the strongest", "finds no place at the enemy"),
        *("joins", "joins a garrison", "leaves", "stays in", "charges out of", "comes forward", "changes places"),
        *("changes form", "closes up", "looks out", "is lost", "slides"),
    )
)


def sentence(g: BattleCore, event: Event) -> str | None:
    """An event in words, without a full stop. None: the event's kind and fields are enough."""
    if event.kind in TESTS:
        return agreed(tested(g, event))
    words = WORDS.get(event.kind)
    if words is None:
        return None
    text = words(g, event.data)
    rows = (event.data.get(field, NONE) for field in ("unit", "target"))
    return agreed(text, next((name for name in (unit(g, row) for row in rows) if text.startswith(name)), ""))


def tally(g: BattleCore, event: Event) -> Tally | None:
    """What a roll of close combat adds to the line that sums up the blows of one unit at another; None: the event is no
    such roll.
    """
    data = event.data
    counts = ROLLS.get(event.kind)
    if counts is None:
        return None
    if "target" not in data:  # saves and killing blows: their ``unit`` is the one that is hit
        return Tally(NONE, data["unit"], counts(data))
    return Tally(data["unit"], data["target"], counts(data))


def harm(event: Event) -> tuple[Harm, ...]:
    """Losses besides those of blows and shots: of units that are run down, are caught, or flee through an enemy."""
    data = event.data
    if event.kind == "runs down":
        return (Harm(data["unit"], data["target"], NONE, data["amount"]),)
    if event.kind == "caught":
        return tuple(Harm(by, data["unit"]) for by in data["units"])
    if event.kind == "cut down":  # its ``unit`` is the one that flees
        return (Harm(data["target"], data["unit"], NONE, data["amount"]),)
    return ()


def reason(rule: str) -> str:
    """The reason for a Leadership test by a rule, with a space before it; empty if the rule has none."""
    known = [begin for begin in REASONS if rule == begin or rule.startswith(f"{begin}.")]
    return f" {REASONS[max(known, key=len)]}" if known else ""


# ---------------------------------------------------------------- sentences


def tested(g: BattleCore, event: Event) -> str:
    """A Leadership test: its reason, the roll and the outcome."""
    data = event.data
    again = " again" if event.kind == "rolls again" else ""
    ending = "passed" if data["passed"] else "failed"
    roll = f"{data['roll']} on Leadership {data['leadership']}"
    return f"{unit(g, data['unit'])} [tests/test]{again}{reason(event.rule)}: {roll}, {ending}"


def _stands(data: Data) -> str:
    return f"at {place(data)} in {counted(data['files'], 'file')}, facing {towards(data['facing'])}"


def _goes_to(data: Data) -> str:
    return f'{data["far"]:.1f}" to {place(data)}, facing {towards(data["facing"])}'


def _deployed(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [deploys/deploy] {_stands(data)}"


def _arrives(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [comes/come] on {_stands(data)}"


def _moves(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [moves/move] {_goes_to(data)}"


def _flies(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [flies/fly] {_goes_to(data)}"


def _pivots(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [pivots/pivot] to face {towards(data['facing'])}"


def _reforms(g: BattleCore, data: Data) -> str:
    files = counted(data["files"], "file")
    return f"{unit(g, data['unit'])} [reforms/reform] into {files}, facing {towards(data['facing'])}"


def _declares(g: BattleCore, data: Data) -> str:
    target = f"the {data['name']} of {unit(g, data['target'])}"
    return f'{unit(g, data["unit"])} [declares/declare] a charge at {target}, {data["far"]:.1f}" away'


def _charge_roll(g: BattleCore, data: Data) -> str:
    dice = ", ".join(map(str, data["dice"]))
    return f'{unit(g, data["unit"])} [rolls/roll] {dice} for [its/their] charge: up to {data["far"]:.1f}"'


def _measured(g: BattleCore, data: Data) -> str:
    who, target = unit(g, data["unit"]), unit(g, data["target"])
    if data["passed"]:
        return f'{who} [reaches/reach] {target}, {data["far"]:.1f}" away'
    return f"{who} [does/do] not reach {target}"


def _into_contact(g: BattleCore, data: Data) -> str:
    touching = acting(data["contacts"], "model", "touches", "touch")
    return f'{unit(g, data["unit"])} [charges/charge] {data["far"]:.1f}" into contact; {touching}'


def _is_moved(g: BattleCore, data: Data) -> str:
    return f'{unit(g, data["unit"])} [is/are] moved {data["far"]:.1f}" to {place(data)}'


def _fails_charge(g: BattleCore, data: Data) -> str:
    goes = f'[goes/go] {data["far"]:.1f}" towards {unit(g, data["target"])}'
    return f"{unit(g, data['unit'])} [fails/fail] [its/their] charge and {goes}"


def _begins_to_flee(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [turns/turn] to flee {towards(data['facing'])}"


def _flees(g: BattleCore, data: Data) -> str:
    if "target" in data:  # the reaction to a charge
        return f"{unit(g, data['unit'])} [flees/flee] from the charge of {unit(g, data['target'])}"
    return f'{unit(g, data["unit"])} [flees/flee] {data["far"]:.1f}" (rolled {data["roll"]})'


def _holds(g: BattleCore, data: Data) -> str:
    if "target" in data:
        return f"{unit(g, data['unit'])} [holds/hold] against the charge of {unit(g, data['target'])}"
    lost = f" and [loses/lose] {counted(data['amount'], 'wound')}" if data["amount"] else ""
    return f"{unit(g, data['unit'])} [holds/hold] without a test{lost}"


def _combat(g: BattleCore, data: Data) -> str:
    return f"combat between {units(g, data['units'])}"


def _impact(g: BattleCore, data: Data) -> str:
    return (
        f"{unit(g, data['unit'])} [makes/make] {counted(data['amount'], 'impact hit')} on {units(g, data['targets'])}"
    )


def _strikes(g: BattleCore, data: Data) -> str:
    order = {"first": ", always first", "last": ", always last"}.get(data["step"], "")
    return f"blows at Initiative {data['initiative']}{order}"


def _losses(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [loses/lose] {counted(data['amount'], 'model')}"


def _healed(g: BattleCore, data: Data) -> str:
    back = f", {acting(data['result'], 'model', 'comes', 'come')} back" if data.get("result") else ""
    return f"{unit(g, data['unit'])} [is/are] healed of {counted(data['amount'], 'Wound')}{back}"


def _hurt(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [loses/lose] {counted(data['amount'], 'Wound')}"


def _charges_side(side: str) -> Tell:
    """A sentence about a charge whose side a die has decided."""
    return lambda g, data: (
        f"{unit(g, data['unit'])} [charges/charge] the {side} of {unit(g, data['target'])} (rolled {data['die']})"
    )


def _characteristic(g: BattleCore, data: Data) -> str:
    rolled = f" (rolled {data['die']})" if data["die"] else ""
    return f"{unit(g, data['unit'])} [tests/test] a characteristic{rolled}: {'passed' if data['passed'] else 'failed'}"


def _hit_by_friends(g: BattleCore, data: Data) -> str:
    return f"{counted(data['amount'], 'shot')} at {unit(g, data['target'])} hit {unit(g, data['unit'])}"


def _chooses_first(g: BattleCore, data: Data) -> str:
    return f"{player(g, data['player'])} chooses who plays first (rolled {data['die']})"


def _second_rank(g: BattleCore, data: Data) -> str:
    rolls = ", ".join(map(str, data["rolls"]))
    return f"the second rank of {unit(g, data['unit'])} rolls {rolls} for its impact hits"


def _scores(g: BattleCore, data: Data) -> str:
    parts = " + ".join(f"{data[name]} {agreeing(data[name], name)}" for name in PARTS if data.get(name))
    return f"{player(g, data['player'])} scores {data['totals']}{f': {parts}' if parts else ''}"


def _result(g: BattleCore, data: Data) -> str:
    totals = ":".join(map(str, data["totals"]))
    if data["winner"] == NONE:
        return f"the combat is drawn, {totals}"
    return f"{player(g, data['winner'])} wins the combat by {data['amount']}, {totals}"


def _broken(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [breaks/break]"


def _will_pursue(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} will pursue {unit(g, data['target'])}"


def _flee_roll(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [rolls/roll] {data['roll']} to flee"


def _pursuit_roll(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [rolls/roll] {data['roll']} to pursue"


def _pursues(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [pursues/pursue] {_goes_to(data)}"


def _overruns(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [overruns/overrun] {_goes_to(data)}"


def _caught(g: BattleCore, data: Data) -> str:
    wounds = counted(data["amount"], "wound")
    return f"{unit(g, data['unit'])} [is/are] caught by {units(g, data['units'])} and [suffers/suffer] {wounds}"


def _escapes(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [escapes/escape]"


def _deserts(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [flees/flee] off the table"


def _rallies(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [rallies/rally]"


def _captured(g: BattleCore, data: Data) -> str:
    return f"{player(g, data['player'])} captures {counted(data['amount'], 'standard')} of {unit(g, data['unit'])}"


def _standard_bearer_falls(g: BattleCore, data: Data) -> str:
    return f"{player(g, data['player'])} captures the battle standard of {unit(g, data['unit'])}"


def _concedes(g: BattleCore, data: Data) -> str:
    return f"{player(g, data['player'])} concedes the battle"


def _ends(g: BattleCore, data: Data) -> str:
    return f"the battle ends in round {data['round']} with {data['vp'][0]}:{data['vp'][1]} victory points"


def _roll_off(g: BattleCore, data: Data) -> str:
    rolls, totals = data["rolls"], data["totals"]
    more = "" if tuple(rolls) == tuple(totals) else f", in all {totals[0]} and {totals[1]}"
    return f"the players roll {rolls[0]} and {rolls[1]}{more}"


def _slain(g: BattleCore, data: Data) -> str:
    return f"{model(g, data['model'])} is slain"


def _stands_in_file(g: BattleCore, data: Data) -> str:
    return f"{model(g, data['model'])} stands in file {data['files']} of the front rank"


def _takes_up(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [fights/fight] with: {data['name']}"


def _scored(g: BattleCore, data: Data) -> str:
    return f"{player(g, data['player'])}: {counted(data['points'], 'point')} for {unit(g, data['unit'])}"


def _trophy(g: BattleCore, data: Data) -> str:
    return f"{player(g, data['player'])}: {counted(data['points'], 'point')} for trophies"


def _slides(g: BattleCore, data: Data) -> str:
    return f'{unit(g, data["unit"])} [slides/slide] {data["far"]:.1f}" along {unit(g, data["target"])}'


def _no_further_charge(g: BattleCore, data: Data) -> str:
    return f"{player(g, data['player'])} declares no further charge"


def _rest_stay(g: BattleCore, data: Data) -> str:
    return f"{player(g, data['player'])} moves nobody else"


def _sides(g: BattleCore, data: Data) -> str:
    return f"{player(g, data['player'])} chooses: {player(g, data['south'])} deploys in the {division_of(g).sides[0]}"


def _is_sent(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [is/are] sent to [its/their] place by a {data['die']}: {data['where']}"


def _leaves_the_field(g: BattleCore, data: Data) -> str:
    return f"the army of {player(g, data['player'])} leaves the field"


def _plays_first(g: BattleCore, data: Data) -> str:
    return f"{player(g, data['first_player'])} plays first"


def _freezes(g: BattleCore, data: Data) -> str:
    return f"ice slows {unit(g, data['unit'])}"


def _of_two(words: str) -> Tell:
    """A sentence about a unit and another unit."""
    verbs = for_both(words)
    return lambda g, data: f"{unit(g, data['unit'])} {verbs} {unit(g, data['target'])}"


def _looks_out(g: BattleCore, data: Data) -> str:
    hits = f"{data['result']} of {counted(data['amount'], 'hit')}"
    return f"{unit(g, data['unit'])} [takes/take] {hits} for {unit(g, data['target'])}"


def _stomps(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])} [stomps/stomp] on {unit(g, data['target'])}: {counted(data['amount'], 'hit')}"


def _breathes(g: BattleCore, data: Data) -> str:
    return (
        f"{unit(g, data['unit'])} [breathes/breathe] on {units(g, data['targets'])}: {counted(data['amount'], 'hit')}"
    )


def _draws_breath(g: BattleCore, data: Data) -> str:
    ending = for_both("breathes again" if data["passed"] else "finds no breath")
    return f"{unit(g, data['unit'])} {ending} (rolled {data['die']})"


def _swarm_hit(g: BattleCore, data: Data) -> str:
    return f"{unit(g, data['unit'])}: a base takes {counted(data['die'], 'hit')}"


def _length(g: BattleCore, data: Data) -> str:
    told = "the battle ends" if data["passed"] else "the battle goes on"
    return f"{told} after game turn {data['round']} (rolled {data['die']})"


def _plainly(words: str) -> Tell:
    """A sentence about one unit."""
    verbs = for_both(words)
    return lambda g, data: f"{unit(g, data['unit'])} {verbs}"


# kinds of events that are always told of one unit in the same words
PLAIN = (
    "cowers",
    "crumbles",
    "hides",
    "challenges",
    "forms a unit",
    "is lost",
    "comes forward",
    "stays back",
    "comes this turn",
    "is delayed",
    "is late",
    "is there",
    "rolls its charge again",
    "will reform",
    "will overrun",
    "stays as it is",
    "closes up",
    "spreads out",
    "feigns its flight",
    "rallies of itself",
    "passes of itself",
    "has moved before the battle",
    "is not harmed",
    "charges through the air",
    "enters a building",
    "leaves a building",
    "forms its party",
    "falls back",
    "is destroyed",
    "is stupid",
    "loses its frenzy",
    "restrains itself",
    *(f"comes over the {edge} edge" for edge in ("southern", "eastern", "northern", "western")),
)
# ... of one unit and another one
TWO = {
    "joins": "joins",
    "leaves": "leaves",
    "charges out of": "charges out of",
    "stays in": "stays in",
    "changes places": "changes its place in",
    "goes to join": "goes to join",
    "accepts": "accepts the challenge of",
    "fires and flees": "fires at and flees from",
    "assaults again": "assaults again the building of",
    "charges": "charges",
    "finds no place at the enemy": "finds no place at",
    "runs into": "runs into",
    "stands and shoots": "stands and shoots at",
    "turns from the strongest": "turns to flee from the strongest of its enemies,",
    "joins a garrison": "joins, in a building,",
    "is fought in this phase": "runs into the next combat of this phase, with",
    "is fought in the next phase": "runs into a combat of the next phase, with",
}
TESTS = ("leadership test", "rolls again")
WORDS: Mapping[str, Tell] = MappingProxyType(
    {
        **{words: _plainly(words) for words in PLAIN},
        **{words: _of_two(told) for words, told in TWO.items()},
        **{f"charges the {side}": _charges_side(side) for side in QUARTERS},
        "characteristic test": _characteristic,
        "chooses": _chooses_first,
        "hit by friends": _hit_by_friends,
        "is healed": _healed,
        "is hurt": _hurt,
        "second rank": _second_rank,
        "battle standard captured": _standard_bearer_falls,
        "concedes": _concedes,
        "end of the battle": _ends,
        "roll-off": _roll_off,
        "slain": _slain,
        "stands": _stands_in_file,
        "weapon": _takes_up,
        **FIELD_WORDS,
        **PURSUIT_WORDS,
        **MAGIC,
        **SPELL_WORDS,
        **ROLL_WORDS,
        **ITEM_WORDS,
        "looks out": _looks_out,
        "stomps": _stomps,
        "breathes": _breathes,
        "draws breath": _draws_breath,
        "swarm hit": _swarm_hit,
        "arrives": _arrives,
        "begins to flee": _begins_to_flee,
        "broken": _broken,
        "caught": _caught,
        "charge measured": _measured,
        "charge roll": _charge_roll,
        "charges into contact": _into_contact,
        "combat": _combat,
        "comes back": _arrives,
        "declares a charge": _declares,
        "deployed": _deployed,
        "deserts": _deserts,
        "escapes": _escapes,
        "fails its charge": _fails_charge,
        "flee roll": _flee_roll,
        "flees": _flees,
        "flies": _flies,
        "freezes": _freezes,
        "holds": _holds,
        "impact hits": _impact,
        "is moved": _is_moved,
        "is sent": _is_sent,
        "leaves the field": _leaves_the_field,
        "losses": _losses,
        "moves": _moves,
        "no further charge": _no_further_charge,
        "overruns": _overruns,
        "pivots": _pivots,
        "plays first": _plays_first,
        "pursues": _pursues,
        "pursuit roll": _pursuit_roll,
        "rallies": _rallies,
        "reforms": _reforms,
        "reforms in combat": _reforms,
        "result": _result,
        "scored": _scored,
        "scores": _scores,
        "sides": _sides,
        "slides": _slides,
        "standard captured": _captured,
        "strikes": _strikes,
        "the rest stay": _rest_stay,
        "trophy": _trophy,
        "will pursue": _will_pursue,
        "length": _length,
        "stops the ball": _plainly("stops the ball"),
    }
)
ROLLS: Mapping[str, Callable[[Data], dict[str, int]]] = MappingProxyType(
    {
        "to hit": lambda data: {"attacks": data["amount"], "hits": data["result"]},
        "to wound": lambda data: {"wounds": data["result"]},
        "saves": lambda data: {"saved": data["amount"] - data["result"]},
        "wounds": lambda data: {"wounds lost": data["amount"]},
        "killing blows": lambda data: {"wounds lost": data["result"]},
        "shoots": lambda data: {"shots": data["amount"], "hits": data["result"]},
    }
)
