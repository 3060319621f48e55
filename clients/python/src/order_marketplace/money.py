"""Money as text."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer


def _to_text(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal, str)):
        return value
    if isinstance(value, str):
        text = value
    else:
        text = format(Decimal(repr(value) if isinstance(value, float) else value), "f")
        text = text.rstrip("0").rstrip(".") if "." in text else text
    if re.fullmatch(r"-?\d+(\.\d+)?", text, re.ASCII) is None:
        raise ValueError("must be an amount such as 1250.50")
    digits = text.lstrip("-").replace(".", "").strip("0")
    if len(digits) > 15:
        raise ValueError("must have at most 15 significant digits, since money is not rounded")
    return text


def _to_number(text: str) -> int | float:
    # A JSON number of at most 15 significant digits is the same amount on both sides.
    number = float(text)
    return int(number) if number.is_integer() else number


Money = Annotated[str, BeforeValidator(_to_text), PlainSerializer(_to_number, return_type=int | float, when_used="json")]
"""An amount in major units of its currency (dollars, not cents) as text, such as "1250.5". On the wire it is a JSON number. Compute with
`decimal.Decimal(amount)`. A text of more than 15 significant digits is refused."""
