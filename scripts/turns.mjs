import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { codeOf } from "./source-text.mjs";

/** Where lists come together whose length others decide. The rest of the service gets them in parts, or in threads, as
 * feeds and the links of a page, which page threads read. */
const FOLDERS = [
  "src/crawl-rules",
  "src/scrape/fetch",
  "src/page",
  "src/job-runs",
  ...["batch", "crawl", "extract", "map", "monitor", "parse", "request", "search"].map(
    (name) => `src/families/${name}`,
  ),
];

const LOOPS = [
  /\bfor \(const [^)]*? of (?:await )?[\w.#]*?((?:links|urls|entries|rules|patterns|results|refused|wanted)(?:\.entries\(\))?)\)/gi,
  /((?:links|urls|entries|rules|patterns|results|refused|wanted))\??\s*\.(?:map|filter|flatMap|forEach|reduce|some|every|find|sort|toSorted)\(/gi,
];

/** Modules that loop over such lists without giving turns → why that is short. */
const SHORT = {
  "src/scrape/fetch/robots.ts": "at most 1000 rules of a file, and each look at them has a budget",
  "src/crawl-rules/scope.ts": "the table of our own rules",
  "src/families/batch/batch-pages.ts": "1000 rows",
  "src/families/batch/batch-urls.ts": "gives a turn after 1000 addresses",
  "src/families/crawl/admit-links.ts": "500 rows, or one look at 10,000 links of a page",
  "src/families/crawl/crawl-family.ts": "500 rows",
  "src/families/crawl/crawl-prompt.ts": "patterns of a caller, at most 1000",
  "src/families/crawl/find-links.ts": "one look at 10,000 links of a page",
  "src/families/crawl/frontier.ts": "500 rows",
  "src/families/crawl/known-links.ts": "one look at 10,000 links of a page in a map",
  "src/families/crawl/page-judge.ts": "one look at 10,000 links of a page",
  "src/families/extract/extract-urls.ts": "at most 10 addresses of a caller",
  "src/families/extract/find-pages-step.ts": "at most 100 pages of a map",
  "src/families/map/find-pages.ts": "one look at 10,000 links of a page or stored pages",
  "src/families/monitor/end-check.ts": "one look at 10,000 pages of a target",
  "src/families/monitor/search-step.ts": "at most 50 results of each of 12 queries",
  "src/families/search/find-results.ts": "at most 100 results of an engine",
  "src/families/search/find-tools.ts": "at most 100 results of an engine",
  "src/families/search/scrape-results.ts": "at most 100 results of an engine",
  "src/page/match-small-here.ts": "one look at lengths of 10,000 links; they are matched in turns",
  "src/page/pattern-matching.ts": "in a page thread, with a deadline",
};

/**
 * Finds loops over links, entries, rules and patterns that keep other work from its turn: `forEachInTurns` gives it.
 *
 * @param {string} root folder with src/
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
