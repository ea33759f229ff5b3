"""Match files of a mounted stick, by touch in the real window: offered, chosen, stored, deleted."""

from __future__ import annotations

from pathlib import Path

from export_forms import match_text
from guests import Guests

from pi_app.screen.actions import choose_file, open_match, open_page, send, set_to
from pi_app.screen.ui import Page
from pi_app.user.commands import DeleteMatch, ImportFiles

IMPORTS = ImportFiles(("Ann.mat", "Cid.mat", "Xaver.txt"))


def test_matches_come_in_from_a_stick_and_are_deleted_by_touch(tmp_path: Path) -> None:
    for name in ("Ann", "Cid", "Eva"):
        (tmp_path / f"{name}.mat").write_text(match_text(name, "Ben"), encoding="utf-8")
    (tmp_path / "Xaver.txt").write_text(match_text("X", "Y").replace("8/5", "8/1"), "utf-8")
    guests = Guests(tmp_path, 5)
    try:
        guests.touch(guests.labels()["Matches"])
        guests.touch(guests.labels()["From USB"])
        assert guests.picture.page is Page.FILES
        assert guests.touch_what(lambda action: action == choose_file("Eva.mat"))
        assert guests.touch_what(lambda action: send(IMPORTS) == action)
        stored = guests.opened.journal.matches()
        assert [match.start.players for match in stored] == [("Ann", "Ben"), ("Cid", "Ben")]
        assert guests.touch_what(lambda action: action == set_to("coach.me", "Ben"))
        guests.touch(guests.labels()["Back"])
        assert guests.touch_what(lambda action: action == open_match(stored[1].number))
        assert guests.touch_what(lambda action: action.given == (Page.DELETE,))
        delete = open_page(Page.MATCHES, DeleteMatch(stored[1].number))
        assert guests.touch_what(lambda action: action == delete)
        assert [match.number for match in guests.opened.journal.matches()] == [1]
    finally:
        guests.close()
