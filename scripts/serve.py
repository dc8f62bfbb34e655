"""Open a page on which battles are played: a person against a policy, two people, or two policies while you
watch.
"""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wh_env import Battle, ContentError
from wh_env.agents.policies import POLICIES, UnknownPolicy
from wh_env.agents.programs import INPUT_OUTPUT, MOST_SEED, fail, run, writable_folder
from wh_env.agents.serving.access import Guard, is_loopback
from wh_env.agents.serving.game import PERSON
from wh_env.agents.serving.game_folder import GameFolder, NewGame
from wh_env.agents.serving.viewpoint import WATCHER
from wh_env.core.sentences import player

if TYPE_CHECKING:
    import uvicorn


def main(
    battle: Annotated[
        str | None,
        typer.Option(help="Begin a game with this battle, by name (w10/only-war-skirmish) or path of a YAML file."),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Its players 0 and 1: {PERSON}, {', '.join(sorted(POLICIES))} or module:Class. "
            f"Default: {PERSON} greedy."
        ),
    ] = None,
    more: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=MOST_SEED, help="Seed of its dice and policies. Default: random and secret."),
    ] = None,
    detail: Annotated[
        str | None, typer.Option(help="squad (tactical decisions) or full (all decisions). Default: the battle's.")
    ] = None,
    games: Annotated[Path, typer.Option(help="Folder of the games; each is a replay file.")] = Path("out/games"),
    host: Annotated[
        str,
        typer.Option(help="Address of the server. If others can reach it, every page needs a key."),
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None, typer.Option(help="A further name of this machine, besides its addresses; may be repeated.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the server; 0: any free one.")] = 8321,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only the addresses.")] = False,
) -> None:
    """Serve the page until Ctrl-C. After a restart with the same folder, its games continue.

    It needs the extra `serve` (starlette, uvicorn, websockets).

    Example: serve.py --battle w10/only-war-skirmish --agents human tactician
    """
    who = [*(agents or []), *(more or [])] or [PERSON, "greedy"]
    if len(who) != 2:
        fail(f"--agents: {' '.join(who)}: expected two")
    if battle is None and (agents or more or seed is not None or detail):
        fail("--agents, --seed and --detail: mean nothing without --battle")
    writable_folder(games, "--games")
    game_folder = GameFolder(games)
    server = served(game_folder, host, name or [])
    listener = bound(host, port)
    links: list[tuple[str, str]] = []
    if battle is not None:
        try:
            game_name, game = game_folder.begin(NewGame(battle, (who[0], who[1]), seed, detail))
        except (ContentError, UnknownPolicy) as error:
            fail(error)
        found = game_folder.links(game_name, game.agents)
        links = [(link, seat_words(game.battle, seat)) for seat, link in found.items()]
    url = address(host, listener.getsockname()[1])
    typer.echo(f"{url}/" if is_loopback(host) else f"{url}/?key={game_folder.key}")
    for link, seat in links:
        typer.echo(f"{url}{link}  {seat}")
    if not quiet:
        typer.echo(f"games are kept in {games}; Ctrl-C ends", err=True)
    server.run(sockets=[listener])


def seat_words(battle: Battle, seat: int) -> str:
    """A seat in words: the name of its army, or that it is for watching."""
    return "to watch" if seat == WATCHER else player(battle, seat)


def served(game_folder: GameFolder, host: str, names: list[str]) -> uvicorn.Server:
    """The web server for the games of a folder; exits if the extra ``serve`` is not installed."""
    try:
        import uvicorn

        from wh_env.agents.serving.app import configured
    except ImportError as error:
        fail(f"serve needs {error.name}: pip install -e '.[serve]' in a checkout, 'FILE.whl[serve]' with a wheel")
    return uvicorn.Server(configured(game_folder, Guard(host, [socket.gethostname(), *names])))


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; exits if it cannot."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        fail(f"--host {host} --port {port}: {error.strerror or error}", INPUT_OUTPUT)
    return listener


def address(host: str, port: int) -> str:
    """The address of the server for a browser."""
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


if __name__ == "__main__":
    run(main)
