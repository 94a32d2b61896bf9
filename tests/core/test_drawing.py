"""The pieces that pictures are put together from."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tradewinds.envs.core.render.svg import around, circle, document, group, label, panel, rect, star, tag, text_width


def test_an_attribute_without_a_value_is_left_out():
    assert tag("g", stroke_width=2, fill=None) == '<g stroke-width="2"/>'


def test_numbers_have_two_decimals_at_most_and_no_negative_zero():
    assert circle(1 / 3, -0.001, 12345.678, "red") == '<circle cx="0.33" cy="0" r="12345.68" fill="red"/>'


def test_text_is_escaped():
    title, name = '<A> & "B"', "contractor's office & José's <café>"
    root = ElementTree.fromstring(document(100, 50, title, [panel(0, 0, 100, 50, name), label(5, 5, name)]))
    words = [element.text for element in root.iter() if element.text]
    assert words == [title, name, name]


def test_an_attribute_cannot_break_out_of_its_quotes():
    root = ElementTree.fromstring(rect(0, 0, 1, 1, 'red" onload="x'))
    assert root.get("fill") == 'red" onload="x'
    assert root.get("onload") is None


def test_a_document_says_how_large_it_is_and_names_its_font():
    root = ElementTree.fromstring(document(300, 200, "board", []))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("300", "200", "0 0 300 200")
    assert root.get("font-family") == "Roboto, 'Helvetica Neue', Arial, sans-serif"


def test_a_group_moves_first_and_then_turns():
    assert group(["x"], 3, 4.5, angle=90) == '<g transform="translate(3 4.5) rotate(90)">x</g>'


def test_angles_begin_at_the_top_and_grow_clockwise():
    assert around(10, 10, 5, 0) == pytest.approx((10, 5))
    assert around(10, 10, 5, 90) == pytest.approx((15, 10))
    assert around(10, 10, 5, 180) == pytest.approx((10, 15))


def test_a_star_has_its_first_point_up():
    assert 'points="0,-10 ' in star(0, 0, 10, "gold")


def test_a_label_is_set_smaller_only_where_it_would_not_fit():
    def size(room: float) -> float:
        return float(ElementTree.fromstring(label(0, 0, "harbour authority", 20, room=room)).get("font-size", ""))

    assert size(1000) == 20
    assert text_width("harbour authority", size(50)) == pytest.approx(50, abs=0.1)


@pytest.mark.parametrize("bold", [False, True])
def test_the_estimated_width_of_a_line_is_never_less_than_the_true_one(bold):
    font_roboto = pytest.importorskip("font_roboto")
    fonts = pytest.importorskip("PIL.ImageFont")
    path = Path(font_roboto.__file__).parent / "files" / f"Roboto-{'Bold' if bold else 'Regular'}.ttf"
    font = fonts.truetype(str(path), 100)
    for text in (
        "contractor's office",
        "harbour authority",
        "tobacco",
        "rum",
        "0",
        "MARKERS",
        "player_0 (you)",
        "café",
        "mammoth",
        "Q: why?",
    ):
        assert font.getlength(text) <= text_width(text, 100, bold) <= 1.3 * font.getlength(text), text
