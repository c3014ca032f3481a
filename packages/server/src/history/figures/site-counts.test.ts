import { expect, test } from "vitest";

import type { EndedWork } from "../../accounts/work.ts";
import { SiteNames } from "./site-counts.ts";

const DAY_MS = 86_400_000;

function ended(changes: Partial<EndedWork> = {}): EndedWork {
  return { teamId: "a", endedAtMs: DAY_MS, creditsUsed: 1, isHit: false, formats: [], ...changes };
}

test("a key counts a thousand sites a day by name; others have no name, until the next day", () => {
  const names = new SiteNames();
  for (let index = 0; index < 1000; index += 1) names.nameOf(`${index}.test`, ended());
  expect(names.nameOf("more.test", ended())).toBe("");
  expect(names.nameOf("7.test", ended())).toBe("7.test");
  expect(names.nameOf("more.test", ended({ teamId: "b" }))).toBe("more.test");
  expect(names.nameOf("more.test", ended({ keyId: "k" }))).toBe("more.test");
  expect(names.nameOf("more.test", ended({ endedAtMs: 2 * DAY_MS }))).toBe("more.test");
});

test("all keys together count a hundred thousand", () => {
  const names = new SiteNames();
  for (let key = 0; key < 100; key += 1) {
    for (let index = 0; index < 1000; index += 1) names.nameOf(`${index}.test`, ended({ keyId: `${key}` }));
  }
  expect(names.nameOf("more.test", ended({ keyId: "another" }))).toBe("");
});
