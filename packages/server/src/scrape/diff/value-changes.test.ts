import { expect, test } from "vitest";

import { valueChanges } from "./value-changes.ts";

test("values that differ, by their paths", () => {
  const before = { shop: { name: "Ann" }, items: [{ price: 1 }, { price: 2 }], gone: true, same: [1] };
  const after = { shop: { name: "Bob" }, items: [{ price: 1 }, { price: 3 }, { price: 4 }], same: [1] };
  expect(valueChanges(before, after)).toEqual({
    "shop.name": { previous: "Ann", current: "Bob" },
    "items[1].price": { previous: 2, current: 3 },
    "items[2]": { previous: null, current: { price: 4 } },
    gone: { previous: true, current: null },
  });
});

test.each([
  [{ a: null }, {}],
  [null, undefined],
  [
    [1, 2],
    [1, 2],
  ],
])("%j and %j are the same", (before, after) => {
  expect(valueChanges(before, after)).toEqual({});
});

test("a list that became an object is one change, and the whole has a path", () => {
  expect(valueChanges([1], { a: 1 })).toEqual({ $: { previous: [1], current: { a: 1 } } });
});

test("deep and wide values end", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 500; level += 1) deep = [deep];
  expect(Object.keys(valueChanges(deep, [2]))).toHaveLength(1);
  const wide = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`m${index}`, index]));
  expect(Object.keys(valueChanges({}, wide))).toHaveLength(1000);
});
