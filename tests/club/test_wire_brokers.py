"""Boards, a real broker and the archive: killed, cut, refused; nothing missing, nothing double."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hall import HAS_MOSQUITTO, Hall, until

from pi_app.club.records import Presence, Summary

pytestmark = pytest.mark.skipif(not HAS_MOSQUITTO, reason="mosquitto is not installed")


@pytest.fixture
def open_hall(tmp_path: Path) -> Iterator[Callable[..., Hall]]:
    halls: list[Hall] = []

    def opened(*boards: str, nodes: int = 0) -> Hall:
        halls.append(Hall(tmp_path, boards, nodes))
        return halls[-1]

    yield opened
    for hall in halls:
        hall.at_the_end.close()


def test_what_a_board_plays_is_told(open_hall: Callable[..., Hall]) -> None:
    hall = open_hall("table-1", "table-2")
    one, two = hall.board("table-1"), hall.board("table-2")
    one.begin()
    one.play(9)
    two.begin("Cid")
    until(lambda: hall.has_all_of(one, two))
    one.play(2, warning="A checker is missing")
    until(lambda: hall.has_all_of(one, two) and one.wire.trouble is None)
    until(lambda: any(isinstance(told, Summary) and told.warning for told in hall.told))
    assert Presence(one.name, True) in hall.told
    one.close()
    until(lambda: Presence(one.name, False) in hall.told)
    assert not hall.warned
