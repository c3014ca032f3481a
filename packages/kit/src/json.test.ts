import { expect, test } from "vitest";

import { isJsonObject, listOf, listOrOne, objectOf, textOf } from "./json.ts";

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ["{}", false],
  [undefined, false],
])("%j is an object: %s", (value, isOne) => {
  expect(isJsonObject(value)).toBe(isOne);
  expect(objectOf(value)).toEqual(isOne ? value : {});
});

test.each([
  [
    [1, 2],
    [1, 2],
    [1, 2],
  ],
  ["a", [], ["a"]],
  [{ a: 1 }, [], [{ a: 1 }]],
  [0, [], [0]],
  [null, [], []],
  [undefined, [], []],
])("%j as a list", (value, list, orOne) => {
  expect(listOf(value)).toEqual(list);
  expect(listOrOne(value)).toEqual(orOne);
});

test.each([
  ["a", "a"],
  ["", undefined],
  [1, undefined],
  [null, undefined],
])("%j as a text", (value, text) => {
  expect(textOf(value)).toBe(text);
});
