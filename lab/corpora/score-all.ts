import { existsSync } from "node:fs";
import { join } from "node:path";

import { scoreFeeds } from "./feeds.ts";
import { defuddlePages, doclingPages, readabilityPages, scorePages } from "./pages.ts";
import type { Score } from "./score.ts";

interface Corpus {
  readonly score: (folder: string, verbose: boolean) => Score;
  /** Kind → least share that is right; "" is all kinds together. */
  readonly targets: Readonly<Record<string, number>>;
}

/** Sources of the projects that keep these corpora, each in a folder of its name. */
export const CORPORA: Readonly<Record<string, Corpus>> = {
  feedparser: { score: scoreFeeds, targets: { "": 8950 / 9015 } },
  readability: {
    score: (folder, verbose) => scorePages(readabilityPages(folder), verbose),
    targets: { "words F1": 0.945 },
  },
  defuddle: {
    score: (folder, verbose) => scorePages(defuddlePages(folder), verbose),
    targets: { "words F1": 0.965, note: 145 / 161, code: 70 / 76, formula: 105 / 131 },
  },
  docling: { score: (folder, verbose) => scorePages(doclingPages(folder), verbose), targets: {} },
};

export const CORPORA_TARGETS = Object.entries(CORPORA).flatMap(([name, { targets }]) =>
  Object.entries(targets).map(([kind, least]) => ({ name: nameOf(name, kind), least })),
);

function nameOf(corpus: string, kind: string): string {
  return `${corpus}: ${kind || "fields"}`;
}

/** The figures that have a target, of the projects whose sources are in the folder. */
export function scoreCorpora(folder: string): readonly (readonly [string, number])[] {
  return Object.entries(CORPORA).flatMap(([name, { score, targets }]) => {
    if (!existsSync(join(folder, name))) return [];
    const scored = score(join(folder, name), false);
    return Object.keys(targets).map((kind) => {
      const { share } = scored.of(...(kind === "" ? [] : [kind]));
      return [nameOf(name, kind), share] as const;
    });
  });
}
