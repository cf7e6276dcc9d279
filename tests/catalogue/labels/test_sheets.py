"""The papers: every label lies on its page, and no two share a spot."""

import pytest

from catalogue.labels.sheets import SHEETS, Sheet, Use

BY_CODE = pytest.mark.parametrize("sheet", SHEETS.values(), ids=lambda s: s.code)
LEAST = 0.01


@BY_CODE
def test_every_label_lies_on_the_page_and_beside_the_others(sheet: Sheet) -> None:
    corners = [sheet.corner(position) for position in range(sheet.count)]
    assert all(x >= -LEAST and x + sheet.width <= sheet.page_width + LEAST for x, _y in corners)
    assert all(y >= -LEAST and y + sheet.height <= sheet.page_height + LEAST for _x, y in corners)
    for index, (x, y) in enumerate(corners):
        for other_x, other_y in corners[:index]:
            beside = abs(x - other_x) > sheet.width - LEAST
            below = abs(y - other_y) > sheet.height - LEAST
            assert beside or below


@pytest.mark.parametrize(
    ("code", "count", "corner", "second"),
    [
        ("L7160", 21, (7.2, 15.2), (73.2, 15.2)),
        ("L7651", 65, (4.75, 10.7), (45.35, 10.7)),
        ("3474", 24, (0, 0.5), (70, 0.5)),
        ("3651", 40, (0, 0), (52.5, 0)),
    ],
)
def test_known_sheets_have_the_measures_printed_on_their_boxes(
    code: str, count: int, corner: tuple[float, float], second: tuple[float, float]
) -> None:
    sheet = SHEETS[code]
    assert sheet.count == count
    assert sheet.corner(0) == pytest.approx(corner, abs=0.1)
    assert sheet.corner(1) == pytest.approx(second, abs=0.1)


@BY_CODE
def test_print_keeps_away_from_the_edge_of_the_page_that_printers_leave_white(sheet: Sheet) -> None:
    x, y = sheet.corner(0)
    least = 1.5 if sheet.use == Use.ROLLS else 4.2
    assert min(x, y) + sheet.inset >= least
