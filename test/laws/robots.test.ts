import { expect, test } from "vitest";

import { parseRobots } from "../../packages/server/src/fetch/site/robots.ts";
import { expectLaw } from "./law.ts";

/** A quarter of what is read of a file. */
const QUARTER = 125 * 1024;
const LONGEST_PLACE = new URL(`http://site.test/${"a".repeat(1980)}`);

function filled(line: string, characters: number): string {
  return line.repeat(Math.floor(characters / line.length));
}

test.each<[string, (characters: number) => string]>([
  [
    "many robots, then many delays",
    (size) => filled("user-agent: a\n", size / 2) + filled("crawl-delay: 1\n", size / 2),
  ],
  ["names and delays in turn", (size) => filled("user-agent: *\ncrawl-delay: 1\n", size)],
  ["many groups", (size) => filled("user-agent: *\nallow: /a\n", size)],
  ["lines that say nothing", (size) => filled("\n", size)],
  ["the shortest lines", (size) => filled("a:\n", size)],
  ["one line", (size) => filled(" a", size)],
  ["rules of wildcards", (size) => `user-agent: *\n${filled(`disallow: ${"*a".repeat(900)}\n`, size)}`],
])("robots.txt: %s", async (_name, make) => {
  await expectLaw({ size: QUARTER, make, run: (text) => parseRobots(Buffer.from(text), "pergamon") });
});

test.each<[string, (characters: number) => string]>([
  ["short pieces that are nowhere", (size) => filled("disallow: *ab\n", size)],
  ["wildcards, then a piece that is nowhere", (size) => filled(`disallow: ${"*a".repeat(900)}b\n`, size)],
  [
    "pieces that differ in the middle",
    (size) => filled(`disallow: *${"a".repeat(500)}b${"a".repeat(499)}\n`, size),
  ],
  ["pieces that differ at the end", (size) => filled(`disallow: *${"a".repeat(40)}b\n`, size)],
])("one look of robots.txt at the longest address: %s", async (_name, rules) => {
  const make = (size: number) => parseRobots(Buffer.from(`user-agent: *\n${rules(size)}`), "pergamon");
  await expectLaw({ size: QUARTER, make, run: (robots) => void robots.allows(LONGEST_PLACE) });
  expect(make(QUARTER * 4).allows(new URL("http://site.test/b"))).toBe(true);
});
