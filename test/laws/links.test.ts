import { expect, test } from "vitest";

import { type Address, foundAddress, givenAddress } from "../../packages/kit/src/address.ts";
import type { CrawlOptions } from "../../packages/server/src/crawl/request.ts";
import { scopeOf, sortLinks } from "../../packages/server/src/crawl/url-policy.ts";
import { parseRobots } from "../../packages/server/src/fetch/site/robots.ts";
import type { PatternOptions } from "../../packages/server/src/fetch/urls/patterns.ts";
import { MapLinks } from "../../packages/server/src/map/links.ts";
import { rankLinks } from "../../packages/server/src/map/find-pages.ts";
import { matchSmallHere, PatternsTooSlow } from "../../packages/server/src/scrape/page/match-small-here.ts";
import { matchPatterns } from "../../packages/server/src/scrape/page/pattern-matching.ts";
import { expectLaw } from "./law.ts";

const NEVER = new AbortController().signal;
/** A part of the characters that are read of the links of a page. */
const CHARACTERS = 125_000;

/** As long as addresses may be. */
const longest = (count: number) =>
  Array.from({ length: count }, (_, index) => `http://site.test/${"a".repeat(1970)}${index}` as Address);

const options = {
  crawlEntireDomain: true,
  includePaths: [],
  excludePaths: [],
  deduplicateSimilarURLs: true,
} as unknown as CrawlOptions;

test.each<[string, string]>([
  ["short pieces that are nowhere", "disallow: *ab\n".repeat(36_000)],
  ["pieces that differ in the middle", `disallow: *${"a".repeat(500)}b${"a".repeat(499)}\n`.repeat(500)],
])("links of a page against robots.txt: %s", async (_name, rules) => {
  const robots = parseRobots(Buffer.from(`user-agent: *\n${rules}`), "pergamon");
  const scope = scopeOf({ siteUrl: "http://site.test/" }, options, () => robots);
  await expectLaw({
    size: 2,
    make: longest,
    run: (urls) =>
      sortLinks({ urls, depth: 1, isFromSite: true }, { options, scope, match: NO_MATCH }, NEVER),
  });
});

const NO_MATCH = () => Promise.reject(new Error("There are no patterns."));

test.each<[string, (index: number) => string]>([
  ["long ones", (index) => `/${"a".repeat(1900)}${index}`],
  ["short ones", (index) => `/${index}`],
  ["session ids", (index) => `/a/${";jsessionid=x".repeat(100)}/(S(${index}))/b`],
  ["escapes", (index) => `/${"%e4".repeat(600)}${index}`],
  ["queries", (index) => `/?${"sid=1&".repeat(300)}${index}`],
  ["folders", (index) => `/${"a/".repeat(900)}${index}`],
])("links of a page: %s", async (_name, path) => {
  const make = (characters: number) =>
    made(Math.min(characters / `http://site.test${path(100)}`.length, characters / 100), path);
  const scope = scopeOf({ siteUrl: "http://site.test/" }, options, () => undefined);
  await expectLaw({
    size: CHARACTERS,
    make,
    run: (urls) =>
      sortLinks({ urls, depth: 1, isFromSite: true }, { options, scope, match: NO_MATCH }, NEVER),
  });
});

function made(count: number, path: (index: number) => string): readonly Address[] {
  return Array.from({ length: count }, (_, index) => givenAddress(`http://site.test${path(index)}`));
}

const only = (include: string): PatternOptions => ({ include: [include], exclude: [], areOfWholeUrl: false });

test.each(["a[ab]{470}[yz]", "(?:a|aa)+b", "(.*)(.*)(.*)(.*)(.*)x", "[^/]*a[^/]{40}b"])(
  "a small pattern that is made to take long: %s",
  async (pattern) => {
    let isElsewhere = 0;
    const match = matchSmallHere(async ({ urls }) => {
      isElsewhere += 1;
      return { rules: urls.map(() => "no"), faults: [] };
    });
    const make = (count: number) => made(count, (index) => `/${"ab".repeat(190)}${index}`);
    const run = async (urls: readonly string[]) =>
      (await match({ patterns: only(pattern), urls }, NEVER)).rules;
    await expectLaw({ size: 50, make, run });
    await run(longest(1));
    expect(isElsewhere).toBeLessThanOrEqual(1);
  },
);

test("patterns that keep a thread busy for too long end the matching", async () => {
  const include = Array.from({ length: 10 }, (_, index) => `[ab]{${900 + index}}[xyz]`);
  const patterns = { include, exclude: [], areOfWholeUrl: false };
  const elsewhere = async (task: Parameters<typeof matchPatterns>[0]) => matchPatterns(task, 50);
  const urls = made(10_000, (index) => `/${"ab".repeat(900)}${index}`);
  await expect(matchSmallHere(elsewhere)({ patterns, urls }, NEVER)).rejects.toThrow(PatternsTooSlow);
});

test("a map: links are ranked in turns", async () => {
  const make = (count: number) => made(count, (index) => `/alpha/beta-${index}`).map((url) => ({ url }));
  const run = async (links: ReturnType<typeof make>) => void (await rankLinks(links, "alpha beta", NEVER));
  await expectLaw({ size: 10_000, make, run });
});

test("a map holds no more than 24 MB, and those that fit the search best", async () => {
  const links = new MapLinks({ accepts: () => true, ignoresQuery: true, limit: Infinity });
  const description = "x".repeat(290);
  for (let index = 0; index < 60_000; index += 1) {
    const url = foundAddress(
      `http://site.test/${index % 1000 === 0 ? "wanted/" : ""}${"a".repeat(150)}${index}`,
    );
    const page = url && links.read({ url, title: description, description });
    if (page) links.add(page);
    if (links.isTooLarge) links.keepFirst(await rankLinks(links.all(), "wanted", NEVER));
  }
  const listed = links.all().map(({ url }) => url);
  expect(listed.length).toBeLessThan(30_000);
  expect(listed.filter((url) => url.includes("wanted"))).toHaveLength(60);
});
