"""Open a page on which battles are played: by a person against a policy, by two people, or by two policies while one watches."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wh_env import ContentError
from wh_env.agents.policies import POLICIES, UnknownPolicy
from wh_env.agents.programs import INPUT_OUTPUT, MOST_SEED, fail, run, writable_folder
from wh_env.agents.serving.access import Guard, is_loopback
from wh_env.agents.serving.game import PERSON
from wh_env.agents.serving.game_folder import GameFolder, NewGame
from wh_env.agents.serving.viewpoint import WATCHER

if TYPE_CHECKING:
    import uvicorn

MOST_FRAME = (
    1 << 18
)  # bytes of a message of the socket; longer ones end the connection, those that are only too long are answered
SEATS = {0: "player 0", 1: "player 1", WATCHER: "to watch"}


def main(
    battle: Annotated[
        str | None,
        typer.Option(help="Begin a game with this battle, by name (w10/only-war-skirmish) or path of a YAML file."),
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Who plays it, player 0 and player 1: {PERSON}, {', '.join(sorted(POLICIES))} or module:Class. Default: {PERSON} greedy."
        ),
    ] = None,
    more: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=MOST_SEED, help="Of its dice and policies. Default: drawn, and nobody is told."),
    ] = None,
    detail: Annotated[
        str | None, typer.Option(help="squad (decisions that carry tactics) or full (all). Default: the battle's.")
    ] = None,
    games: Annotated[Path, typer.Option(help="Folder of the games: each a replay, written after every action.")] = Path(
        "out/games"
    ),
    host: Annotated[
        str,
        typer.Option(help="Address to be reached at. Other than of this machine alone, only those with a key come in."),
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None, typer.Option(help="A name by which others call this machine, beside its addresses.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8321,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only addresses.")] = False,
) -> None:
    """Serve the page until Ctrl-C. Games that were begun are there again when the server is started again.

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
    links: dict[int, str] = {}
    if battle is not None:
        try:
            begun, game = game_folder.begin(NewGame(battle, (who[0], who[1]), seed, detail))
        except (ContentError, UnknownPolicy) as error:
            fail(error)
        links = game_folder.links(begun, game.agents)
    here = address(host, listener.getsockname()[1])
    typer.echo(f"{here}/" if is_loopback(host) else f"{here}/?key={game_folder.key}")
    for seat, link in links.items():
        typer.echo(f"{here}{link}  {SEATS[seat]}")
    if not quiet:
        typer.echo(f"games are kept in {games}; Ctrl-C ends", err=True)
    server.run(sockets=[listener])


def served(game_folder: GameFolder, host: str, names: list[str]) -> uvicorn.Server:
    """The web server for the games of a folder."""
    try:
        import uvicorn

        from wh_env.agents.serving.app import configured
    except ImportError as error:
        fail(f"serve needs {error.name}: pip install 'wh-env[serve]'")
    return uvicorn.Server(configured(game_folder, Guard(host, [socket.gethostname(), *names])))


def bound(host: str, port: int) -> socket.socket:
    """A socket at an address."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.create_server((host, port), family=family)
    except OSError as error:
        fail(f"--host {host} --port {port}: {error.strerror or error}", INPUT_OUTPUT)
    return made


def address(host: str, port: int) -> str:
    """How a browser calls the server."""
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


if __name__ == "__main__":
    run(main)
