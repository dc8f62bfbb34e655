"""GIFs and films of a replay, and files that appear whole or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from wh_env.core.files import replacing
from wh_env.render.theme import MODES

pytest.importorskip("pygame", reason="pygame (extra render) is not installed")

from wh_env.render.film import LINGER, frames, gif_palette, write_gif, write_mp4


@pytest.fixture(scope="module")
def pictures(replay):
    return list(frames(replay, "turn", 400))


def test_a_picture_a_turn_or_a_decision(replay, beginning, pictures):
    assert len(pictures) == 2 + 2 * replay.rounds  # before the battle, each turn, the end
    assert len({picture.shape for picture in pictures}) == 1
    heard: list[int] = []
    every = list(frames(beginning, "decision", 320, progress=lambda done, total: heard.append(done)))
    assert len(every) == 41 and heard == list(range(41))
    assert not (every[0] == every[-1]).all()


def test_gif(tmp_path, pictures):
    image = pytest.importorskip("PIL.Image", reason="pillow (extra render) is not installed")
    file = tmp_path / "some" / "battle.gif"
    assert write_gif(file, iter(pictures), rate=2.0) == len(pictures)
    with image.open(file) as gif:
        assert (gif.n_frames, gif.size) == (len(pictures), pictures[0].shape[1::-1])
        for number, picture in enumerate(pictures):
            gif.seek(number)
            assert gif.info["duration"] == 500 * (LINGER if number == len(pictures) - 1 else 1)
            seen = np.asarray(gif.convert("RGB")).astype(int)
            assert np.abs(seen - picture).mean() < 2.5
    assert [path.name for path in file.parent.iterdir()] == ["battle.gif"]


@pytest.mark.parametrize("mode", MODES)
def test_a_gif_keeps_one_colour_for_what_does_not_change(mode):
    palette = gif_palette(mode)
    assert len(palette) % 3 == 0 and len(palette) <= 3 * 255
    assert len({tuple(palette[k : k + 3]) for k in range(0, len(palette), 3)}) > 150


def test_film(tmp_path, pictures):
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="imageio-ffmpeg (extra render) is not installed")
    file = tmp_path / "battle.mp4"
    assert write_mp4(file, iter(pictures), rate=5.0) == len(pictures)
    reader = ffmpeg.read_frames(str(file))
    about = next(reader)
    height, width, _ = pictures[0].shape
    assert about["size"] == (width, height) and about["fps"] == 5.0 and about["codec"] == "h264"
    seen = [np.frombuffer(frame, np.uint8).reshape(height, width, 3).astype(int) for frame in reader]
    assert len(seen) == len(pictures) + LINGER
    for found, picture in zip(seen, pictures, strict=False):
        assert np.abs(found - picture).mean() < 5.0


@pytest.mark.parametrize("write", [write_gif, write_mp4])
def test_what_is_interrupted_leaves_the_old_file(tmp_path, pictures, write):
    file = tmp_path / "battle.out"
    file.write_bytes(b"old")

    def stopped():
        yield pictures[0]
        yield pictures[1]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(file, stopped())
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["battle.out"]


def test_replacing_is_all_or_nothing(tmp_path):
    file = tmp_path / "new" / "file.txt"
    with replacing(file) as draft:
        draft.write_text("first", encoding="utf-8")
        assert not file.exists() and draft.suffix == ".txt"
    assert file.read_text(encoding="utf-8") == "first"
    with pytest.raises(TypeError), replacing(file) as draft:
        draft.write_bytes("text")  # opens the draft, then fails
    assert file.read_text(encoding="utf-8") == "first"
    assert len(list(file.parent.iterdir())) == 1
