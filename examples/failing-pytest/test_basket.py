"""A shop's basket and its prices: one of these tests fails."""

import json
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

import pytest

CENT = Decimal("0.01")
VAT = {"book": Decimal("0.07"), "toy": Decimal("0.19"), "food": Decimal("0.07")}


class Unknown(KeyError):
    """There is no such thing in the shop."""


@dataclass(frozen=True)
class Item:
    """Something to buy."""

    name: str
    kind: str
    net: Decimal

    @property
    def gross(self):
        return (self.net * (1 + VAT[self.kind])).quantize(CENT, ROUND_HALF_UP)


@dataclass
class Basket:
    """What somebody wants to buy."""

    items: list = field(default_factory=list)
    vouchers: dict = field(default_factory=dict)

    def add(self, item, count=1):
        if count < 1:
            raise ValueError(f"{count} of {item.name}")
        self.items.extend([item] * count)
        return self

    def redeem(self, code, percent):
        self.vouchers[code] = percent
        return self

    def total(self):
        total = sum((item.gross for item in self.items), Decimal(0))
        for percent in self.vouchers.values():
            total -= total * percent // 100
        return total.quantize(CENT, ROUND_HALF_UP)

    def as_json(self):
        return json.dumps({"items": [item.name for item in self.items], "total": str(self.total())})


@pytest.fixture
def shop():
    return {
        "atlas": Item("atlas", "book", Decimal("28.00")),
        "robot": Item("robot", "toy", Decimal("12.50")),
        "bread": Item("bread", "food", Decimal("3.10")),
    }


@pytest.fixture
def basket(shop):
    return Basket().add(shop["robot"]).add(shop["bread"], 2)


@pytest.mark.parametrize("name, gross", [("atlas", "29.96"), ("robot", "14.88"), ("bread", "3.32")])
def test_the_gross_price_has_the_tax(shop, name, gross):
    assert shop[name].gross == Decimal(gross)


def test_a_basket_adds_up(basket):
    assert basket.total() == Decimal("21.52")


@pytest.mark.parametrize("percent, total", [(0, "21.52"), (10, "19.37"), (50, "10.76")])
def test_a_voucher_takes_its_percentage(basket, percent, total):
    assert basket.redeem("SPRING", percent).total() == Decimal(total)


def test_a_count_of_none_is_refused(basket, shop):
    with pytest.raises(ValueError, match="0 of atlas"):
        basket.add(shop["atlas"], 0)


def test_a_basket_is_written_as_json(basket):
    assert json.loads(basket.as_json()) == {"items": ["robot", "bread", "bread"], "total": "21.52"}
