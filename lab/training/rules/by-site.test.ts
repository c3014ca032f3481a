import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { contentRules } from "./content-rules.ts";
import { personalDataRules } from "./personal-data-rules.ts";
import { productRules } from "./product-rules.ts";

describe("rules by site", () => {
  test.each([
    ["content", contentRules],
    ["personal data", personalDataRules],
    ["product", productRules],
  ])("each rule of %s has its place in the sources, so that it can be switched off", (_, rules) => {
    const lost = rules.filter(({ file, from }) => {
      const source = readFileSync(new URL(`../../../packages/${file}`, import.meta.url), "utf8");
      return source.split(from).length !== 2;
    });
    expect(lost.map(({ name }) => name)).toStrictEqual([]);
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  });
});
