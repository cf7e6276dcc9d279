"""Reads label sheets back: the PDF rendered as by a printer, the pages scanned by independent readers."""

from collections.abc import Callable, Iterator
from typing import Any

import pypdfium2
import zxingcpp
from PIL import Image

DARK = 200
"""Grey below this counts as ink."""
BARS = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.Code128)
SQUARES = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)


def pages(pdf: bytes, dpi: int) -> Iterator[Image.Image]:
    """The pages of a PDF in so many dots an inch, grey."""
    for page in pypdfium2.PdfDocument(pdf):
        yield page.render(scale=dpi / 72, grayscale=True).to_pil()


def zxing(image: Image.Image) -> list[str]:
    """The Code 128 barcodes of a page."""
    return [found.text for found in zxingcpp.read_barcodes(image, formats=BARS)]


def qr_codes(image: Image.Image) -> list[str]:
    """The QR codes of a page."""
    return [found.text for found in zxingcpp.read_barcodes(image, formats=SQUARES)]


def readers() -> list[Callable[[Image.Image], list[str]]]:
    """What reads Code 128 on this machine: zxing always, zbar where its library is installed."""
    try:
        from pyzbar import pyzbar  # noqa: PLC0415 - the import fails where the library is missing
    except ImportError:
        return [zxing]

    def zbar(image: Image.Image) -> list[str]:
        found: list[Any] = pyzbar.decode(image, symbols=[pyzbar.ZBarSymbol.CODE128])
        return [one.data.decode() for one in found]

    return [zxing, zbar]


def ink(image: Image.Image) -> tuple[int, int, int, int] | None:
    """The box (left, top, right, bottom) around everything that is printed; None on an empty page."""
    return image.point(lambda grey: 255 if grey < DARK else 0).getbbox()
