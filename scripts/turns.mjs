import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { codeOf } from "./source-text.mjs";

/** Where lists come together whose length others decide. The rest of the service gets them in parts, or in threads. */
const FOLDERS = ["src/families/crawl", "src/families/map", "src/families/site-files"];

const LOOPS = [
  /\bfor \(const [^)]*? of (?:await )?[\w.#]*?((?:links|urls|entries|rules|patterns|refused|wanted)(?:\.entries\(\))?)\)/gi,
  /((?:links|urls|entries|rules|patterns|refused|wanted))\??\s*\.(?:map|filter|flatMap|forEach|reduce|some|every|find|sort|toSorted)\(/gi,
];

/** Modules that loop over such lists without giving turns → why that is short. */
const SHORT = {
  "src/families/crawl/admit-links.ts": "500 rows, or one look at 10,000 links of a page",
  "src/families/crawl/crawl-prompt.ts": "patterns of a caller, at most 1000",
  "src/families/crawl/find-links.ts": "one look at 10,000 links of a page",
  "src/families/crawl/frontier.ts": "500 rows",
  "src/families/crawl/known-links.ts": "one look at 10,000 links of a page in a map",
  "src/families/crawl/page-judge.ts": "one look at 10,000 links of a page",
  "src/families/map/find-pages.ts": "one look at 10,000 links of a page or stored pages",
};

/**
 * Finds loops over links, entries, rules and patterns that keep other work from its turn: `forEachInTurns` gives it.
 *
 * @param {string} root folder with src/
 * @returns {string[]} a line for a person about each
 */
export function loopsWithoutTurns(root) {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => /(?<!\.test|\.suite)\.ts$/.test(name))
      .map((name) => `${folder}/${name}`),
  ).map((name) => [name, loopsIn(codeOf(readFileSync(join(root, name), "utf8")))]);
  const looping = new Set(found.filter(([, loops]) => loops.length > 0).map(([name]) => name));
  return [
    ...found
      .filter(([name]) => !(name in SHORT))
      .flatMap(([name, loops]) => loops.map((loop) => told(name, loop))),
    ...Object.keys(SHORT)
      .filter((name) => !looping.has(name))
      .map((name) => `${name} loops no more: scripts/turns.mjs`),
  ];
}

const loopsIn = (code) => LOOPS.flatMap((pattern) => [...code.matchAll(pattern)].map(([loop]) => loop));

const told = (name, loop) =>
  `${name}: \`${loop}\` gives no turns. Use forEachInTurns, or say in scripts/turns.mjs why the list is short`;
