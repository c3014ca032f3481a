import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { codeOf } from "./source-text.mjs";

/** Where lists come together whose length others decide. The rest of the service gets them in parts, or in threads, as
 * feeds and the links of a page, which page threads read. */
const FOLDERS = [
  "packages/server/src/fetch/urls",
  "packages/server/src/fetch/site",
  "packages/server/src/scrape/page",
  "packages/server/src/jobs",
  ...["batch", "crawl", "extract", "map", "monitor", "parse", "search"].map(
    (name) => `packages/server/src/${name}`,
  ),
];

const LOOPS = [
  /\bfor \(const [^)]*? of (?:await )?[\w.#]*?((?:links|urls|entries|rules|patterns|results|refused|wanted)(?:\.entries\(\))?)\)/gi,
  /((?:links|urls|entries|rules|patterns|results|refused|wanted))\??\s*\.(?:map|filter|flatMap|forEach|reduce|some|every|find|sort|toSorted)\(/gi,
];

/** Modules that loop over such lists without giving turns → why that is short. */
const SHORT = {
  "packages/server/src/fetch/site/robots.ts":
    "at most 1000 rules of a file, and each look at them has a budget",
  "packages/server/src/fetch/site/sitemaps.ts": "the addresses of one entry, whose length is bounded",
  "packages/server/src/fetch/urls/scope.ts": "the table of our own rules",
  "packages/server/src/map/command.ts": "on the command line",
  "packages/server/src/map/mcp-tool.ts": "one look at the links of an answer",
  "packages/server/src/map/version-1.ts": "one look at the links of an answer",
  "packages/server/src/jobs/page-list.ts": "1000 rows",
  "packages/server/src/jobs/check-urls.ts": "gives a turn after 1000 addresses",
  "packages/server/src/crawl/enqueue-links.ts": "500 rows, or one look at 10,000 links of a page",
  "packages/server/src/crawl/crawl.ts": "500 rows",
  "packages/server/src/crawl/prompt.ts": "patterns of a caller, at most 1000",
  "packages/server/src/crawl/frontier.ts": "500 rows",
  "packages/server/src/crawl/spellings.ts": "500 rows",
  "packages/server/src/crawl/url-policy.ts": "one look at 10,000 links of a page",
  "packages/server/src/extract/extract.ts": "at most 10 addresses of a caller",
  "packages/server/src/extract/urls.ts": "at most 10 addresses of a caller",
  "packages/server/src/extract/find-pages-step.ts": "at most 100 pages of a map",
  "packages/server/src/map/find-pages.ts": "one look at 10,000 links of a page or stored pages",
  "packages/server/src/monitor/end-check.ts": "one look at 10,000 pages of a target",
  "packages/server/src/monitor/search-step.ts": "at most 50 results of each of 12 queries",
  "packages/server/src/search/find-results.ts": "at most 100 results of an engine",
  "packages/server/src/search/scrape-results.ts": "at most 100 results of an engine",
  "packages/server/src/scrape/page/match-small-here.ts":
    "one look at lengths of 10,000 links; they are matched in turns",
  "packages/server/src/scrape/page/pattern-matching.ts": "in a page thread, with a deadline",
};

/**
 * Finds loops over links, entries, rules and patterns that keep other work from its turn: `forEachInTurns` gives it.
 *
 * @param {string} root folder with packages/
 * @param {Readonly<Record<string, string>>} [short] modules → why their lists are short
 * @returns {string[]} a line for a person about each
 */
export function loopsWithoutTurns(root, short = SHORT) {
  const found = FOLDERS.filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => /(?<!\.test|\.suite)\.ts$/.test(name))
        .map((name) => `${folder}/${name}`),
    )
    .map((name) => [name, loopsIn(codeOf(readFileSync(join(root, name), "utf8")))]);
  const looping = new Set(found.filter(([, loops]) => loops.length > 0).map(([name]) => name));
  return [
    ...found
      .filter(([name]) => !(name in short))
      .flatMap(([name, loops]) => loops.map((loop) => told(name, loop))),
    ...Object.keys(short)
      .filter((name) => !looping.has(name))
      .map((name) => `${name} loops no more: scripts/turns.mjs`),
  ];
}

const loopsIn = (code) => LOOPS.flatMap((pattern) => [...code.matchAll(pattern)].map(([loop]) => loop));

const told = (name, loop) =>
  `${name}: \`${loop}\` gives no turns. Use forEachInTurns, or say in scripts/turns.mjs why the list is short`;
