"""Scores at the edge of what the box holds."""

import pytest

from .referee import final_money
from .referee_table import Player
from .table import Position, result, table


def referees(s: Position, seat: int) -> int:
    counted = Player(int(s.money[seat]), [], {"factory": [], "harbour": [(0, 2)] * int(s.harbour[seat].sum())})
    counted.loans = int(s.loans[seat])
    for colour in range(5):
        counted.island += [colour] * int(s.island[seat][colour])
        counted.cargo += [colour] * int(s.cargo[seat][colour])
        counted.bank_harbour += [colour] * int(s.bank_harbour[seat][colour])
    return final_money(counted, int(s.value_card[seat]))


@pytest.mark.rule("CT-END-2", "CT-END-3")
def test_thirteen_of_the_five_ten_colour_in_a_full_set_score_130():
    s = table(5, island=[{"black": 16, "brown": 15, "purple": 15, "beige": 1, "grey": 1}], money=[0])
    scores, _ = result(s)
    assert scores[0] == 15 * 10 + 15 * 6 + 4 + 2
    assert scores[0] == referees(s, 0)


@pytest.mark.rule("CT-IB-END-1")
def test_a_bank_harbour_with_most_of_the_box_scores_three_each():
    s = table(5, bank_harbour=[dict.fromkeys(("black", "brown", "purple", "beige", "grey"), 13)], money=[0], investment_bank=True)
    scores, _ = result(s)
    assert scores[0] == 3 * 65 == referees(s, 0)


@pytest.mark.rule("CT-END-2", "CT-END-3", "CT-END-4")
@pytest.mark.parametrize(
    "island", [[1, 1, 1, 1, 1], [2, 2, 2, 2, 2], [0, 2, 2, 0, 0], [3, 0, 3, 1, 1], [3, 2, 3, 3, 1], [0, 1, 0, 0, 0], [4, 4, 1, 1, 1]]
)
def test_every_card_scores_as_the_referee_says(island):
    names = ["black", "brown", "purple", "beige", "grey"]
    for card in range(5):
        s = table(island=[dict(zip(names, island, strict=True))], cards=[*names[card:], *names[:card]], loans=[2], cargo=[{"grey": 2}])
        assert result(s)[0][0] == referees(s, 0)
