import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

interface LabelledSet {
  readonly content: string;
  /** Public collections of the same kind. */
  readonly similar: string;
}

/** Folders of `LAB_DATA`, each with a scoring tool beside its data. */
const SETS = {
  extraction: {
    content: "pages with their main content (data/, tool/eval.mjs)",
    similar:
      "WCXB (web-content-extraction-benchmark), article-extraction-benchmark by Scrapinghub, or the evaluation data of trafilatura",
  },
  product: {
    content: "pages of shops with their facts (data/index.json, score.mjs)",
    similar: "product-extraction-benchmark by Scrapinghub",
  },
  menu: {
    content: "cards of restaurants with their dishes (pages/, score.mjs)",
    similar: "the cards that lab/training/made/menus.ts makes",
  },
  branding: {
    content: "pages with their design tokens (pages/, score.mjs)",
    similar: "pages of one's own with the tokens of their style sheets",
  },
  answers: {
    content: "articles with questions and the places of the answers (data/, score.mjs)",
    similar: "XQuAD or SQuAD 1.1",
  },
  json: {
    content: "pages with the values of a schema (index.json, schemas.json, score.mjs)",
    similar: "SWDE (Structured Web Data Extraction)",
  },
  pii: {
    content: "texts with their personal data (data/*.jsonl, score.mjs)",
    similar: "presidio-research by Microsoft, WikiNEuRal, or Universal NER",
  },
  "public-reports": {
    content: "inputs built after public reports, with what is right (a folder each, run.mjs)",
    similar: "reports about programs of this kind, rebuilt in words of one's own",
  },
  corpora: {
    content: "sources of feedparser, readability, defuddle and docling, each in a folder of its name",
    similar: "these projects themselves",
  },
  documents: {
    content: "documents with their text, tables and blocks (data/dev/, tool/run.mjs)",
    similar: "DP-Bench by Upstage, OmniDocBench, or the tables of ICDAR 2013",
  },
} as const satisfies Record<string, LabelledSet>;

export type SetName = keyof typeof SETS;

export class MissingSet extends Error {
  constructor(name: SetName) {
    const { content, similar } = SETS[name];
    const place = process.env["LAB_DATA"] ? `${labData()} has no folder ${name}` : "LAB_DATA is not set";
    super(
      `The labelled set ${name} is missing: ${place}. It has ${content}. Public data of this kind: ${similar}. Set LAB_DATA to the folder of such sets; lab/README.md describes their form.`,
    );
  }
}

/** The folder of all sets; "" when the setting is not given. */
export function labData(): string {
  const folder = process.env["LAB_DATA"];
  return folder ? resolve(folder) : "";
}

/** The folder of a set; undefined where it is missing. */
export function findSet(name: SetName): string | undefined {
  const folder = join(labData(), name);
  return labData() !== "" && existsSync(folder) ? folder : undefined;
}

/** @throws MissingSet */
export function needSet(name: SetName): string {
  const folder = findSet(name);
  if (folder === undefined) throw new MissingSet(name);
  return folder;
}
