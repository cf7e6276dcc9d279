"""What was printed or scanned: product codes (EAN, ISBN, UPC) and the labels of copies and cards.

Pure functions on text. Standards: GS1 General Specifications 7.9 (check digit, weights 1 and 3);
ISBN-10 modulo 11 (ISO 2108:1992).
A product code names a title, a label names one box: they are told apart by look-up, never by shape.
"""

import re
from dataclasses import dataclass

SEPARATORS = re.compile(r"[\s\-‐-―]+")
SCIENTIFIC = re.compile(r"^\d+[.,]\d+e\+?\d+$", re.IGNORECASE)
CODABAR = re.compile(r"^[a-d](\d[\d\-$:/.+]*)[a-d]$", re.IGNORECASE)
ISBN10 = re.compile(r"^\d{9}[\dX]$")
EAN_LENGTH, UPC_LENGTH, UPC_WITHOUT_CHECK = 13, 12, 11


@dataclass(frozen=True, slots=True)
class ProductCode:
    """A product code as printed, its kind, its 13-digit form (or ""), and whether its check digit holds.

    `check_holds` is None where the code has no check digit to hold.
    """

    printed: str
    kind: str
    gtin: str
    check_holds: bool | None


def gs1_check_digit(digits: str) -> str:
    """The check digit of a GS1 code given without it (weights 3, 1, 3 ... from the right)."""
    total = sum(int(d) * (3 if i % 2 == 0 else 1) for i, d in enumerate(reversed(digits)))
    return str(-total % 10)


def read_product_code(printed: str) -> ProductCode:
    """Tell what a printed product code is. Never fails: what is no known code has kind "other"."""
    digits = SEPARATORS.sub("", printed).upper()
    if ISBN10.match(digits):
        return _isbn10(printed, digits)
    if not (digits.isascii() and digits.isdigit()):
        return ProductCode(printed, "other", "", None)
    if len(digits) == EAN_LENGTH:
        holds = gs1_check_digit(digits[:-1]) == digits[-1]
        kind = "isbn13" if digits.startswith(("978", "979")) else "ean13"
        return ProductCode(printed, kind, digits, holds)
    if len(digits) == UPC_LENGTH:
        return ProductCode(printed, "upc", "0" + digits, gs1_check_digit(digits[:-1]) == digits[-1])
    if len(digits) == UPC_WITHOUT_CHECK:
        return ProductCode(printed, "upc", "0" + digits + gs1_check_digit(digits), None)
    if len(digits) == 8:
        return ProductCode(printed, "ean8", digits.zfill(13), gs1_check_digit(digits[:-1]) == digits[-1])
    return ProductCode(printed, "other", "", None)


def _isbn10(printed: str, digits: str) -> ProductCode:
    total = sum((10 - i) * (10 if d == "X" else int(d)) for i, d in enumerate(digits))
    body = "978" + digits[:9]
    return ProductCode(printed, "isbn10", body + gs1_check_digit(body), total % 11 == 0)


def product_gtins(scanned: str) -> tuple[str, ...]:
    """The 13-digit forms under which a scanned product code may be on record."""
    code = read_product_code(scanned)
    return (code.gtin,) if code.gtin else ()


def label_candidates(scanned: str) -> tuple[str, ...]:
    """What a scanned or typed label may stand for, the likeliest first, without repeats.

    As it came; without blanks and hyphens; upper case (Code 39); without `*` marks; without Codabar's
    start and stop letters. Leading zeros are part of a label and are never added or cut here: see
    `without_leading_zeros`.
    """
    typed = scanned.strip()
    compact = SEPARATORS.sub("", typed).strip("*")
    codabar = CODABAR.match(compact)
    found = [typed, compact, compact.upper()]
    if codabar:
        found.append(codabar[1])
    return tuple(dict.fromkeys(code for code in found if code))


def without_leading_zeros(code: str) -> str:
    """`01877` -> `1877`; a code of zeros only keeps one."""
    return code.lstrip("0") or code[:1]


def is_spreadsheet_damage(scanned: str) -> bool:
    """Whether a spreadsheet has turned the code into a number in scientific notation: its digits are lost."""
    return bool(SCIENTIFIC.match(scanned.strip()))
