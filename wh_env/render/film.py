"""A replay as a GIF or a film: one picture for each decision or each turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from wh_env.content.replay import Replay
from wh_env.core.files import replacing
from wh_env.core.tables import Array
from wh_env.render.last import Follower
from wh_env.render.picture import WIDTH, Camera, MissingExtra, pixels
from wh_env.render.theme import COLOURS as THEME
from wh_env.render.theme import Mode, mixed, rgb, styles

Every = Literal["decision", "turn"]
Progress = Callable[[int, int], None]
LINGER = 8  # frames that the last picture stays


def frames(
    replay: Replay,
    every: Every = "decision",
    width: int = WIDTH,
    mode: Mode = "light",
    progress: Progress | None = None,
) -> Iterator[Array]:
    """Pictures of a replay, uint8 of shape (height, width, 3), all of one size.

    Args:
        replay: the battle that was played.
        every: "decision": a picture after each decision; "turn": one at the start of each turn. The end always has one.
        width: in pixels.
        mode: ``light`` or ``dark``.
        progress: called after each decision with the number of actions played and the number of all.

    Raises:
        ContentError: an action of the replay is not legal.
        MissingExtra: pygame is not installed.
    """
    camera, follower = Camera(mode), None
    turn: tuple[int, int] | None = None
    for number, battle in enumerate(replay.play(record=True)):
        follower = follower or Follower(battle)
        last = follower.step()
        now = (battle.clock.round[0], battle.clock.turn[0])
        if every == "decision" or now != turn or number == len(replay.actions):
            yield pixels(camera.take(battle, width, last))
        turn = now
        if progress is not None:
            progress(number, len(replay.actions))


def write_gif(file: str | Path, pictures: Iterable[Array], rate: float = 4.0, mode: Mode = "light") -> int:
    """Write an animated GIF with ``rate`` pictures a second; returns how many pictures it has.

    All pictures are held in memory, one byte a pixel; ``write_mp4`` holds only one.

    Raises:
        MissingExtra: pillow is not installed.
        OSError: the file cannot be written.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtra("pillow") from error
    palette = Image.new("P", (1, 1))
    palette.putpalette(gif_palette(mode))
    # one palette for all and no dithering, so that pixels that do not change from one picture to the next cost nothing
    images = [Image.fromarray(picture).quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    times = [round(1000 / rate)] * len(images)
    times[-1] *= LINGER
    with replacing(file) as draft:
        images[0].save(draft, "GIF", save_all=True, append_images=images[1:], duration=times, loop=0, optimize=True)
    return len(images)


def gif_palette(mode: Mode) -> list[int]:
    """At most 255 colours, as a list red, green, blue, red, ...: those of the theme, and mixtures that occur at edges.

    The 256th colour is left for pixels that do not change from one picture to the next.
    """
    page = [THEME[name][mode == "dark"] for name in ("page", "card", "felt", "ground")]
    pure = dict.fromkeys([*page, *(c[mode == "dark"] for c in THEME.values())])
    inks = dict.fromkeys(c for style in styles(mode).values() for c in (style.fill, style.line) if c)
    between = [mixed(ground, ink, share) for share in (0.5, 0.25, 0.75) for ground in page for ink in inks]
    chosen = list(dict.fromkeys([*pure, *inks, *between]))[:255]
    return list(chain.from_iterable(rgb(code) for code in chosen))


def write_mp4(file: str | Path, pictures: Iterable[Array], rate: float = 8.0) -> int:
    """Write an H.264 film with ``rate`` pictures a second; returns how many pictures it has.

    Raises:
        MissingExtra: imageio-ffmpeg is not installed.
        OSError: the file cannot be written.
    """
    try:
        import imageio_ffmpeg
    except ImportError as error:
        raise MissingExtra("imageio-ffmpeg") from error
    count = 0
    with replacing(file) as draft:
        writer: Any = None
        try:
            for picture in pictures:
                if writer is None:
                    height, width, _ = picture.shape
                    writer = imageio_ffmpeg.write_frames(
                        str(draft),
                        (width, height),
                        fps=rate,
                        quality=7,
                        macro_block_size=2,
                        ffmpeg_log_level="error",
                        output_params=["-f", "mp4"],  # whatever the file is called
                    )
                    writer.send(None)
                writer.send(picture)
                count += 1
            for _ in range(LINGER if writer is not None else 0):
                writer.send(picture)
        finally:
            if writer is not None:
                writer.close()
    return count
