"""The club on the screen: joined, left, another board invited, and its question seen anywhere."""

from __future__ import annotations

from dataclasses import replace

import pytest
from clubhouses import (
    CLUB,
    FRIENDS,
    LONG,
    MET,
    QUESTION,
    SHOWN,
    asked,
    club_scenes,
    guest_scenes,
    in_club,
)
from scenes import scenes
from shares import by_last, paired
from test_layout import SIZES, faults, told
from test_touchscreen import FrontDesk
from views import SIZE, does, given, make_view, measure

from pi_app.base.microseconds import ENDLESS, ms
from pi_app.export.codes import code_of
from pi_app.languages import LANGUAGES, load_language
from pi_app.rules.terms import Side, Spot
from pi_app.screen.actions import (
    Action,
    answer_board,
    invite_board,
    look_at_question,
    open_page,
    play_other_side,
    show_boards,
    type_letters,
)
from pi_app.screen.canvas import Disc, Drawing
from pi_app.screen.compose import ASKED_ON, FingerDown, KeyPress, compose, pressed, touched
from pi_app.screen.paint import Fonts
from pi_app.screen.ui import LyingOn, Page, PageGuest, Shown, TextField, Typing, Ui
from pi_app.user.agreement import Form
from pi_app.user.commands import (
    AnswerFar,
    ClubWish,
    Invite,
    Phrase,
    PutBack,
    SayFar,
    ShowCode,
    TakeCode,
    TouchSpot,
)


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    return Fonts()


def picture_of(shown: Shown, ui: Ui) -> Drawing[Action]:
    return compose(shown, ui, SIZE, measure, now=ENDLESS)


def touch(shown: Shown, ui: Ui, label: str) -> tuple[Ui, tuple[object, ...]]:
    """Touch the button with this label."""
    picture = picture_of(shown, ui)
    (place,) = (
        target.rect
        for target in picture.targets
        if isinstance(target.means, tuple) and target.means[0] == label
    )
    return touched(picture, FingerDown(*place.centre), ui, shown, ms(1))


@pytest.mark.parametrize(("language", "size"), paired(3, sorted(LANGUAGES), SIZES), ids=str)
def test_every_page_of_the_club_is_whole(
    language: str, size: tuple[int, int], fonts: Fonts
) -> None:
    found = {}
    for name, (shown, ui) in club_scenes():
        spoken = replace(shown, language=load_language(language))
        picture = compose(spoken, ui, size, fonts.measure, now=ENDLESS)
        if wrong := faults(picture):
            found[name] = wrong
    assert found == {}


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_banner_lies_on_nothing_wherever_somebody_is(
    size: tuple[int, int], fonts: Fonts
) -> None:
    found = {}
    for name in by_last(17, [*scenes()], SIZES)[size]:
        shown, ui = scenes()[name]
        picture = compose(asked(shown), ui, size, fonts.measure, now=ENDLESS)
        shows = look_at_question() in [target.action for target in picture.targets]
        assert shows is (ui.page not in ASKED_ON and ui.looked is None)
        if wrong := faults(picture):
            found[name] = wrong
    assert found == {}


def test_from_the_new_match_to_an_invitation() -> None:
    ui = Ui(Page.NEW_MATCH, form=Form(("Ada", "Ben"), 5))
    ui, out = touch(SHOWN, ui, "Another board")
    assert (ui.page, out) == (Page.BOARDS, (ClubWish.LOOK,))
    ui, out = touch(SHOWN, ui, "town-2")
    (invite,) = out
    assert isinstance(invite, Invite)
    assert (invite.board, invite.side) == ("town-2", Side.WHITE)
    assert (invite.match.players, invite.match.match_to) == (("Ada", "Ben"), 5)
    waiting = in_club(invited=("town-2",))
    assert told(picture_of(waiting, ui), "Waiting for town-2")
    assert touch(waiting, ui, "Withdraw the invitation")[1] == (ClubWish.WITHDRAW,)
    assert invite_board("town-3").act(ui, waiting, ms(1))[1] == (), "one at a time"


def test_the_other_side_can_be_played_here_and_a_machine_never_comes_along() -> None:
    ui, _ = play_other_side().act(Ui(Page.BOARDS), SHOWN, ms(1))
    (invite,) = invite_board("town-2").act(ui, SHOWN, ms(1))[1]
    assert isinstance(invite, Invite)
    assert invite.side is Side.BLACK
    assert "machine" not in invite.match.options


def test_a_board_that_is_not_listed_is_typed() -> None:
    ui, _ = touch(in_club(boards=()), Ui(Page.BOARDS), "Enter its name")
    assert (ui.page, ui.typing.entry) == (Page.TYPING, TextField.BOARD)
    for key in "TOWN-7":
        ui, _ = pressed(picture_of(SHOWN, ui), KeyPress(key, key), ui, SHOWN, ms(1))
    ui, (invite,) = pressed(picture_of(SHOWN, ui), KeyPress("return"), ui, SHOWN, ms(1))
    assert ui.page is Page.BOARDS
    assert isinstance(invite, Invite)
    assert invite.board == "town-7"
    typing = Ui(Page.TYPING, typing=Typing(TextField.BOARD, ""))
    after, out = pressed(picture_of(SHOWN, typing), KeyPress("return"), typing, SHOWN, ms(1))
    assert (after.page, out) == (Page.BOARDS, ())


def test_while_a_match_is_played_here_nobody_is_invited() -> None:
    playing = replace(SHOWN, view=make_view())
    picture = picture_of(playing, Ui(Page.BOARDS))
    assert told(picture, "Finish the match on this board first")
    assert not any(does(target.action, invite_board) for target in picture.targets)


def test_more_boards_than_a_page_holds() -> None:
    ui, shown = Ui(Page.BOARDS), set[str]()
    while True:
        actions = [target.action for target in picture_of(SHOWN, ui).targets]
        shown |= {*given(actions, invite_board)}
        onward = [first for first in given(actions, show_boards) if first > ui.first_board]
        if not onward:
            break
        ui, _ = show_boards(onward[0]).act(ui, SHOWN, ms(1))
    assert shown == set(CLUB.boards)


ALONE = replace(SHOWN, club=FRIENDS)


def test_a_friend_is_invited_without_a_club() -> None:
    ui = Ui(Page.NEW_MATCH, form=Form(("Ada", ""), 5))
    ui, out = touch(ALONE, ui, "Play a friend")
    assert (ui.page, out) == (Page.BOARDS, (ClubWish.LOOK,))
    ui, (invite,) = touch(ALONE, ui, "Ελένη")
    assert isinstance(invite, Invite)
    assert invite.board == MET[3][0]
    labels = {t.means[0] for t in picture_of(ALONE, ui).targets if isinstance(t.means, tuple)}
    assert "Enter its name" not in labels, "it is for boards of a club"


def test_a_code_is_shown_with_the_match_of_the_form() -> None:
    ui = Ui(Page.BOARDS, form=Form(("Ada", ""), 5, here=Side.WHITE))
    _, (wish,) = touch(ALONE, ui, "Show a code")
    assert isinstance(wish, ShowCode)
    assert (wish.name, wish.invite.side, wish.invite.match.match_to) == ("Ada", Side.WHITE, 5)
    meets = replace(SHOWN, club=replace(FRIENDS, code="561 scene consider smile", meets="…"))
    assert told(picture_of(meets, ui), "561 scene consider smile")
    assert touch(meets, ui, "Stop waiting")[1] == (ClubWish.STOP_MEETING,)


def test_a_code_is_typed_with_words_that_are_offered() -> None:
    ui = Ui(Page.BOARDS, form=Form(("", "Ben"), here=Side.BLACK))
    ui, _ = touch(ALONE, ui, "I have a code")
    assert (ui.page, ui.typing.entry) == (Page.TYPING, TextField.CODE)
    for letters in ("561 s", "a"):
        ui, _ = type_letters(letters).act(ui, ALONE, ms(1))
    ui, _ = touch(ALONE, ui, "sand")
    assert ui.typing.text == "561 sand "
    for letters in ("sc", "a"):
        ui, _ = type_letters(letters).act(ui, ALONE, ms(1))
    ui, _ = touch(ALONE, ui, "scan")
    ui, _ = type_letters("save").act(ui, ALONE, ms(1))
    ui, out = pressed(picture_of(ALONE, ui), KeyPress("return"), ui, ALONE, ms(1))
    assert ui.page is Page.BOARDS
    assert out == (TakeCode("561 sand scan save", "Ben"),)


def test_a_phrase_is_said_to_the_friend_and_a_silent_match_closed() -> None:
    friends = replace(FRIENDS, opponent="Ben")
    playing = replace(SHOWN, view=make_view(), club=friends)
    ui, _ = touch(playing, Ui(Page.MENU), "Say")
    ui, out = touch(playing, ui, "Well played")
    assert (ui.page, out) == (Page.PLAY, (SayFar(Phrase.WELL_PLAYED),))
    label = "Silent for a day: close the match"
    assert not told(picture_of(playing, Ui(Page.SAY)), label)
    silent = replace(playing, club=replace(friends, can_close=True))
    assert touch(silent, Ui(Page.SAY), label)[1] == (ClubWish.CLOSE_MATCH,)
    alone = replace(playing, club=FRIENDS)
    assert not told(picture_of(alone, Ui(Page.MENU)), "Say")


def test_a_guest_sees_the_checkers_that_he_moved_and_no_sensor_saw() -> None:
    """The sixth checker of a point and those above it lie on no reed."""

    def discs(shown: Shown) -> int:
        return sum(isinstance(one, Disc) for one in picture_of(shown, Ui(Page.PLAY)).shapes)

    shown, _ = dict(guest_scenes())["guest moves"]
    assert shown.view
    assert shown.guest
    accepted = shown.view.accepted
    spot = next(spot for spot, stack in accepted.items() if Side.WHITE in stack)
    guest = replace(shown.guest, lying={**accepted, spot: accepted[spot][:-1]})
    unseen = replace(shown, guest=guest)
    assert discs(unseen) < discs(shown)
    assert touch(unseen, Ui(Page.PLAY), "Put back")[1] == (PutBack(),)
    assert discs(replace(shown, guest=replace(guest, near=Side.BLACK))) == discs(shown)


def test_a_friend_without_a_board_says_a_phrase_to_his_host() -> None:
    playing = replace(SHOWN, view=make_view(), guest=PageGuest("Ann", Side.BLACK, {}))
    ui, _ = touch(playing, Ui(Page.MENU), "Say")
    assert told(picture_of(playing, ui), "Say to Ann")
    ui, out = touch(playing, ui, "Good roll")
    assert (ui.page, out) == (Page.PLAY, (SayFar(Phrase.GOOD_ROLL),))


def test_without_a_broker_no_code_is_offered() -> None:
    targets = picture_of(SHOWN, Ui(Page.BOARDS)).targets
    labels = {t.means[0] for t in targets if isinstance(t.means, tuple)}
    assert not labels & {"Show a code", "I have a code"}


def test_a_spotter_in_no_club_offers_no_other_board_and_the_way_in() -> None:
    alone = replace(SHOWN, club=replace(CLUB, own="", links=False))
    actions = [target.action for target in picture_of(alone, Ui(Page.NEW_MATCH)).targets]
    assert open_page(Page.BOARDS, ClubWish.LOOK) not in actions
    ui, out = touch(alone, Ui(Page.SETTINGS), "Club")
    assert (ui.page, out) == (Page.CLUB, (ClubWish.LOOK,))
    assert touch(alone, ui, "Join from USB stick")[1] == (ClubWish.JOIN,)
    nowhere = replace(SHOWN, club=None)
    assert open_page(Page.CLUB, ClubWish.LOOK) not in [
        t.action for t in picture_of(nowhere, Ui(Page.SETTINGS)).targets
    ]


def test_leaving_is_asked_about() -> None:
    ui, out = touch(SHOWN, Ui(Page.CLUB), "Leave the club")
    assert (ui.page, out) == (Page.LEAVE_CLUB, ())
    assert touch(SHOWN, ui, "No, stay")[0].page is Page.CLUB
    assert open_page(Page.CLUB, ClubWish.LEAVE).act(ui, SHOWN, ms(1))[1] == (ClubWish.LEAVE,)


# What another board asks


@pytest.mark.parametrize("page", [Page.SETTINGS, Page.TOUR, Page.MATCHES, Page.RULES, Page.TYPING])
def test_wherever_somebody_is_the_question_is_a_touch_away(page: Page) -> None:
    shown, ui = asked(SHOWN), Ui(page)
    picture = picture_of(shown, ui)
    assert told(picture, f"{LONG} asks")
    ui, out = touch(shown, ui, "Show")
    assert (ui.page, out) == (page, ())
    assert told(picture_of(shown, ui), str(QUESTION))
    assert touch(shown, ui, "Later") == (Ui(page), ())
    escaped = pressed(picture_of(shown, ui), KeyPress("escape"), ui, shown, ms(1))
    assert escaped == (Ui(page), ())
    assert pressed(picture_of(shown, ui), KeyPress("space"), ui, shown, ms(1)) == (ui, ())
    declined, out = touch(shown, ui, "No")
    assert (declined.page, out) == (page, (AnswerFar(False),))
    accepted, out = touch(shown, ui, "Yes")
    assert (accepted.page, out) == (Page.START, (AnswerFar(True),)), "the match opens from there"


def test_another_question_is_not_taken_for_the_one_that_was_looked_at() -> None:
    ui = Ui(Page.SETTINGS, looked=QUESTION)
    other = asked(SHOWN, "town-3 asks: undo 1 play?")
    actions = [target.action for target in picture_of(other, ui).targets]
    assert look_at_question() in actions
    assert answer_board(yes=True) not in actions


def test_the_banner_steals_no_touch() -> None:
    """A finger on its way to what stood there, or beside, presses nothing of the banner."""
    desk = FrontDesk()
    desk.front.draw(SHOWN, ms(0))
    assert desk.touches(desk.place(open_page(Page.SETTINGS)), SHOWN, 500) == ()
    desk.front.draw(SHOWN, ms(501))
    below = [target.action for target in desk.front._picture.targets]
    question = asked(SHOWN)
    desk.front.draw(question, ms(5000))
    place = desk.place(look_at_question())
    assert desk.touches(place, question, 5300) == ()
    assert desk.front._ui.looked is None
    assert set(below) <= {target.action for target in desk.front._picture.targets}
    desk.touches(place, question, 5500)
    assert desk.front._ui.looked == QUESTION


def test_the_code_is_shown_with_the_page_for_a_friend_without_a_board() -> None:
    page = "https://play.example/#561-scene-consider-smile"
    meets = replace(FRIENDS, code="561 scene consider smile", meets="…")
    meets = replace(meets, page=page, picture=code_of(page))
    ui = Ui(Page.BOARDS, form=Form(("Ada", ""), here=Side.WHITE))
    with_page = picture_of(replace(SHOWN, club=meets), ui)
    without = picture_of(replace(SHOWN, club=replace(meets, page="", picture=None)), ui)
    assert told(with_page, "561 scene consider smile")
    assert told(with_page, "A friend without a board scans this, and plays in the browser")
    assert not told(without, "A friend without a board scans this, and plays in the browser")
    assert len(with_page.shapes) > len(without.shapes) + 50, "the modules of the QR code"


def test_a_guest_touches_checkers_on_the_picture_and_no_page_of_the_host() -> None:
    scenes_of_guest = dict(guest_scenes())
    shown, ui = scenes_of_guest["guest moves"]
    assert shown.view
    moves = [
        target
        for target in picture_of(shown, ui).targets
        if len(target.action.given) == 2 and isinstance(target.action.given[1], LyingOn)
    ]
    assert {target.action.given[0] for target in moves} >= set(shown.view.accepted)
    place = next(one for one in moves if one.action.given[0] == Spot.read("1"))
    _, (touched_spot,) = touched(
        picture_of(shown, ui), FingerDown(*place.rect.centre), ui, shown, ms(1)
    )
    assert touched_spot == TouchSpot(Spot.read("1"))
    assert shown.guest
    later = replace(shown, guest=replace(shown.guest, lying={}))
    assert place.action.act(ui, later, ms(1))[1] == (), "something else lies there by now"
    # The other player's turn, and the menu
    theirs = replace(shown, guest=replace(shown.guest, near=Side.BLACK))
    assert len(picture_of(theirs, ui).targets) < len(picture_of(shown, ui).targets) - 5
    menu, _ = scenes_of_guest["guest menu"][1], None
    assert not told(picture_of(shown, menu), "Settings")
    assert told(picture_of(shown, menu), "Resign")
    settings = picture_of(shown, Ui(Page.SETTINGS))
    assert not told(settings, "Club"), "no page of the host opens"
    wrong, ui = scenes_of_guest["guest wrong"]
    assert touch(wrong, ui, "Put back")[1] == (PutBack(),)
