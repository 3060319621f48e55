"""Which numbers of the document are amounts of money: these are text in Python, so that nobody computes with a binary fraction.

The document does not say it. A number that is in neither list stops the making: whoever adds one decides.
"""

MONEY = {
    "amount", "available", "billed_gross", "booked_gross", "budget_gross", "cited", "commission", "commitment_gross",
    "computed_gross", "cpm", "credit_limit", "credited_gross", "current", "exposure", "fee_amount", "gross",
    "gross_rate_cpm", "gross_rate_unit", "invoiced_gross", "max_gross", "net", "ordered_gross", "rate", "remaining",
    "undisputed_gross", "unit_cost", "variance_gross",
}  # fmt: skip

NOT_MONEY = {
    # shares
    "pct", "ratio", "sellout_level",
    # impressions, and goals in a unit of their own; `Value` is a value of a map by audience code
    "delivered", "guaranteed", "guaranteed_impressions", "impressions_per_unit", "per_spot", "shortfall", "target", "Value",
    # sums of a document that are units or money, by their `of`
    "computed", "fees", "stated",
    # where a text stands in a document
    "left", "right", "rows", "size", "y",
}  # fmt: skip

# Percentages and seconds.
NOT_MONEY_ENDINGS = ("_pct", "_s")


def is_money(member: str) -> bool | None:
    """None if nobody has said."""
    if member in NOT_MONEY or member.endswith(NOT_MONEY_ENDINGS):
        return False
    return True if member in MONEY else None
