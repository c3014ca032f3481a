import { expect, test } from "vitest";

import { type Counted, fallbacksOf } from "./query-stages.ts";

const expressionsOf = (counted: readonly Counted[]) =>
  fallbacksOf(counted).map(({ expression, maxCompared = "all" }) => `${maxCompared}: ${expression}`);

test("fewer and fewer of the words are looked for, the rarest first", () => {
  const counted = [
    { term: "the", pages: 9000 },
    { term: "tea", pages: 40 },
    { term: "pots", pages: 7 },
  ];
  expect(expressionsOf(counted)).toEqual([
    "all: (pots AND tea) OR (pots AND the) OR (tea AND the)",
    "all: pots OR tea OR the",
  ]);
});

test("words that no page has are left out, and what is left may be all of a page", () => {
  const counted = [
    { term: "tea", pages: 40 },
    { term: "zzz", pages: 0 },
    { term: "pots", pages: 7 },
  ];
  expect(expressionsOf(counted)).toEqual(["all: (pots AND tea)", "all: pots OR tea"]);
  expect(expressionsOf([{ term: "zzz", pages: 0 }])).toEqual([]);
});

test("of pages that have a common word only some are compared", () => {
  const rare = { term: "pots", pages: 7 };
  const common = { term: "the", pages: 10_000 };
  expect(expressionsOf([common, rare])).toEqual(["all: pots", "10000: pots OR the"]);
  expect(expressionsOf([common])).toEqual(["10000: the"]);
});

test("a long query costs hardly more than a short one", () => {
  const counted = Array.from({ length: 32 }, (_, index) => ({ term: `w${index}`, pages: 100 + index }));
  const [first, second] = expressionsOf(counted);
  expect(first).toBe("all: (w0 AND w1 AND w2 AND w3 AND w4)");
  expect(second?.split(" OR ")).toHaveLength(5);
  expect(fallbacksOf(counted)).toHaveLength(5);
});
