import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";

import { MissingSet, needSet } from "../../sets.ts";
import { scoreMadeDocuments } from "../../made-documents/score-all.ts";
import { scoreCorpora } from "../../corpora/score-all.ts";
import { readPackages, shareOfLost } from "../../documentation/read-packages.ts";
import { scoreOwnPages } from "../own-pages.ts";
import { bySite } from "./by-site.ts";
import { scoreDocuments } from "./documents-set.ts";
import { type Figures, LABELLED_SETS, scoreSet } from "./labelled-sets.ts";
import { scoreMade } from "./made-sets.ts";
import { scoreMarkdown } from "./markdown-set.ts";
import { scoreChanges, scoreInjection, scoreRedactionCost } from "./own-sets.ts";
import { scoreReported } from "./reported-set.ts";
import { openService } from "./service.ts";
import { type Target, TARGETS } from "./targets.ts";
import { scoreWords } from "./words-set.ts";

/**
 * Prints the table of targets: what the running service answers over HTTP on every set, beside the targets and peers.
 * Beside figures of what was learned stand those by cross-validation over sites, which decide whether a target is met.
 * Fails when a figure could not be had.
 */
const { values: options } = parseArgs({
  options: {
    scrape: { type: "string", default: "http://127.0.0.1:3002/v2/scrape" },
    pid: { type: "string", default: "" },
    tools: { type: "string", default: "" },
    data: { type: "string" },
    all: { type: "boolean", default: false },
    only: { type: "string" },
  },
});

const { scrape, tools, data } = options;
const place = { scrape, tools, data };
const service = await openService(scrape);
const pid = Number(options.pid);

/** What takes longest, and has targets of its own. */
const REST: Readonly<Record<string, () => Promise<Figures>>> = {
  pages: () => scoreOwnPages(scrape),
  markdown: () => scoreMarkdown(place),
  words: () => scoreWords(place),
  documents: () => scoreDocuments(place),
  reports: async () => (data === undefined ? scoreReported(scrape) : []),
  documentation: async () => (data === undefined ? shareOfLost(readPackages()) : []),
  corpora: async () => (data === undefined ? scoreCorpora(needSet("corpora")) : []),
  "made-documents": async () => {
    const means = data === undefined ? await scoreMadeDocuments({}) : new Map<string, number>();
    return [...means].flatMap(([name, mean]) =>
      name === "all" ? [["made PDFs: mean of the generators", mean] as const] : [],
    );
  },
};
/** Page data, by the names that `--only` takes. */
const PAGE_DATA: Readonly<Record<string, () => Promise<Figures>>> = {
  ...Object.fromEntries(Object.keys(LABELLED_SETS).map((name) => [name, () => scoreSet(name, place)])),
  made: async () => (data === undefined ? scoreMade(place, service) : []),
  injection: () => scoreInjection(service),
  changes: () => scoreChanges(service, pid),
  "redaction-cost": async () => scoreRedactionCost(service, { pid, texts: personalPages() }),
};

const figures = new Map<string, number>();
const told = new Set<string>();
try {
  for (const score of partsToScore()) for (const [name, value] of await scoreOrTell(score)) figures.set(name, value);
} finally {
  service.close();
}
const wanted = TARGETS.filter(({ name }) => figures.has(name));
const lines = wanted.map((target) => lineOf(target, figures.get(target.name) ?? Number.NaN));
printTable([["", "Pergamon", "by site", "target", "", "best peers"], ...lines]);
if (wanted.some(({ name }) => Number.isNaN(figures.get(name)))) process.exitCode = 1;

function partsToScore(): readonly (() => Promise<Figures>)[] {
  const parts = { ...REST, ...PAGE_DATA };
  if (options.only === undefined) return Object.values(options.all ? parts : PAGE_DATA);
  return options.only.split(",").map((name) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (!part) throw new Error(`Use --only with some of: ${Object.keys(parts).join(", ")}.`);
    return part;
  });
}

/** A set that is missing is told, once; the others are scored all the same. */
async function scoreOrTell(score: () => Promise<Figures>): Promise<Figures> {
  try {
    return await score();
  } catch (error) {
    if (!(error instanceof MissingSet)) throw error;
    if (!told.has(error.message)) console.log(error.message);
    told.add(error.message);
    return [];
  }
}

/** Texts of the labelled pages; those of a set that is kept elsewhere lie elsewhere. */
function personalPages(): readonly string[] {
  const file = join(data === undefined ? join(needSet("pii"), "data") : join(data, "pii"), "pages.jsonl.gz");
  if (!existsSync(file)) throw new Error(`no texts at ${file}`);
  const rows = gunzipSync(readFileSync(file)).toString().trim().split("\n");
  return rows.map((row) => (JSON.parse(row) as { text: string }).text);
}

function lineOf({ name, least, most, peer }: Target, value: number): readonly string[] {
  // Sets that are kept aside have nothing in common with what was learned from.
  const learned = data === undefined ? bySite(name) : undefined;
  const deciding = learned ?? value;
  const isMet = deciding >= (least ?? -Infinity) && deciding <= (most ?? Infinity);
  const bound = rounded(least ?? most ?? Number.NaN);
  const target = least === most ? bound : least === undefined ? `≤ ${bound}` : `≥ ${bound}`;
  return [
    name,
    rounded(value),
    learned === undefined ? "" : rounded(learned),
    target,
    isMet ? "met" : "missed",
    peer ?? "",
  ];
}

function rounded(value: number): string {
  return String(Number(value.toFixed(3)));
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}
