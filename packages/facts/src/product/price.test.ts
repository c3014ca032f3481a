import { expect, test } from "vitest";

import { readDataPrice, readPrice } from "./price.ts";

test.each([
  ["$1,299.00", 1299, "USD"],
  ["1.299,00 €", 1299, "EUR"],
  ["1.299 €", 1299, "EUR"],
  ["€ 12,5", 12.5, "EUR"],
  ["1 299 kr", 1299, undefined],
  ["1\u00a0299,50 zł", 1299.5, "PLN"],
  ["₹1,29,900", 129_900, "INR"],
  ["2.880₫", 2880, "VND"],
  ["CHF 1’299.00", 1299, "CHF"],
  ["R$ 1.234,56", 1234.56, "BRL"],
  ["¥12,800", 12_800, "JPY"],
  ["CA$19.99", 19.99, "CAD"],
  ["£0.99", 0.99, "GBP"],
  ["$.99", 0.99, "USD"],
  [".99 €", 0.99, "EUR"],
  ["€ ,50", 0.5, "EUR"],
  ["44 890 тг.", 44_890, "KZT"],
])("%s is an amount in a currency", (text, amount, currency) => {
  expect(readPrice(text)).toEqual({ amount, currency, formatted: text.replace(/\s+/g, " ") });
});

test("of a range, the lowest counts", () => {
  expect(readPrice("$10.00 – $25.00")?.amount).toBe(10);
});

test.each(["", "free", "call us", "x".repeat(500)])("%j is no price", (text) => {
  expect(readPrice(text)).toBeUndefined();
});

test.each([
  [15.5, 15.5],
  ["15.500", 15.5],
  ["1299", 1299],
  ["1.299,00", 1299],
])("data %j is %d", (value, amount) => {
  expect(readDataPrice(value)?.amount).toBe(amount);
});

const OTHER_DATA = [
  [Number.NaN, Infinity, -1, 1e308, null, {}, true],
  ["NaN", "Infinity", "-5", "1e308", "1e-9", "0x10", "9".repeat(400)],
].flat();

test.each(OTHER_DATA)("data %j is no price", (value) => {
  expect(readDataPrice(value)).toBeUndefined();
});
