import unittest

from units import Length, Mass, parse, total


class UnitsTest(unittest.TestCase):
    def test_parse(self):
        self.assertEqual(parse("3 cm"), Length(0.03, "m"))

    def test_mass(self):
        self.assertEqual(Mass(500, "g").to("kg"), Mass(0.5, "kg"))

    def test_total(self):
        self.assertEqual(total([parse("1 m"), parse("50 cm")]), Length(1.5, "m"))


if __name__ == "__main__":
    unittest.main()
