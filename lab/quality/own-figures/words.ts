import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { lostInDocument, type LostInDocument, openWordReader, type WordReader } from "../../../test/lost-words/document-words.ts";
import { lostInPage } from "../../../test/lost-words/page-words.ts";
import { labData } from "../../sets.ts";
import { readPages } from "../../training/pages.ts";
import { ownPages } from "../own-pages.ts";

interface ManifestItem {
  readonly id: string;
  readonly group: string;
  readonly file: string;
}

interface Options {
  readonly data: string;
  readonly only?: string | undefined;
  readonly isVerbose?: boolean;
}

/** How many words are lost; undefined where there are no labelled files. */
type Lost = number | undefined;

/**
 * No word is lost: what pdfium or OCR reads stands in some block, and in the Markdown unless its block is furniture; the
 * words of a page's main content stand in its Markdown. One line per set.
 */
export async function countLostWords(): Promise<boolean> {
  const options = readOptions();
  console.log("| set | files | words | lost | not in Markdown | in figures | furniture of one page only |");
  console.log("|---|---|---|---|---|---|---|");
  const inDocuments = await countInDocuments(options);
  const inPages = countInPages(options);
  return (inDocuments ?? 0) + (inPages ?? 0) === 0;
}

function readOptions(): Options {
  const options = {
    data: { type: "string" },
    only: { type: "string" },
    verbose: { type: "boolean" },
  } as const;
  const { values } = parseArgs({ options, args: process.argv.slice(3) });
  return { data: resolve(values.data ?? labData()), only: values.only, isVerbose: values.verbose ?? false };
}

/** Words of labelled documents that are in no block, or in no line of the Markdown. */
export async function countInDocuments({ data, only, isVerbose }: Options): Promise<Lost> {
  const folder = join(data, "documents/data/dev");
  const manifest = join(folder, "manifest.json");
  if (!existsSync(manifest) || only === "pages") return undefined;
  const items = JSON.parse(readFileSync(manifest, "utf8")) as readonly ManifestItem[];
  const reader = await openWordReader();
  const sums = new Map<string, Sum>();
  for (const item of items.filter(({ id, group }) => only === undefined || only === id || only === group)) {
    const lost = await lostInFile(join(folder, item.file), reader);
    if (!lost) continue;
    const sum = sums.get(item.group) ?? new Sum();
    sums.set(item.group, sum);
    sum.add(lost);
    if (isVerbose) printLost(item.id, lost);
  }
  for (const [group, sum] of sums) console.log(sum.row(group));
  return totalOf([...sums.values()].map(({ lost }) => lost));
}

/** Undefined for files that are not read as pages of words, or cannot be opened. */
async function lostInFile(path: string, reader: WordReader): Promise<LostInDocument | undefined> {
  if (!/\.(?:pdf|png|jpe?g)$/u.test(path)) return undefined;
  return lostInDocument(readFileSync(path), reader);
}

function printLost(id: string, lost: LostInDocument): void {
  const kinds = { lost: lost.inNoBlock, "not in Markdown": lost.notWritten, "of one page": lost.doubtful };
  for (const [kind, words] of Object.entries(kinds))
    if (words.length > 0) console.log(`${id} ${kind}: ${words.slice(0, 40).join(" ")}`);
}

class Sum {
  readonly #counts = { files: 0, words: 0, inNoBlock: 0, notWritten: 0, inFigures: 0, doubtful: 0 };

  add(lost: LostInDocument): void {
    this.#counts.files += 1;
    this.#counts.words += lost.words;
    this.#counts.inNoBlock += lost.inNoBlock.length;
    this.#counts.notWritten += lost.notWritten.length;
    this.#counts.inFigures += lost.inFigures;
    this.#counts.doubtful += lost.doubtful.length;
  }

  get lost(): number {
    return this.#counts.inNoBlock + this.#counts.notWritten;
  }

  row(name: string): string {
    return `| ${[name, ...Object.values(this.#counts)].join(" | ")} |`;
  }
}

interface PageSum {
  pages: number;
  words: number;
  lost: number;
}

/** Words that Markdown leaves out on purpose, by what they are. */
function printLeftOut(leftOut: ReadonlyMap<string, number>): void {
  console.log("\n| left out of pages on purpose | words |\n|---|---|");
  for (const [kind, words] of leftOut) console.log(`| ${kind} | ${words} |`);
}

/** Words of the selected main content of labelled pages, or of our own without these, that its Markdown lacks. */
export function countInPages({ data, only, isVerbose }: Options): Lost {
  const folder = join(data, "extraction/data/dev");
  if (only !== undefined && only !== "pages") return undefined;
  const pages = existsSync(join(folder, "index.json")) ? readPages(folder, "revised") : ownPages();
  const sums = new Map<string, PageSum>();
  const leftOut = new Map<string, number>();
  for (const page of pages) {
    const lost = lostInPage(page.html(), page.url);
    for (const [kind, words] of lost.leftOut) leftOut.set(kind, (leftOut.get(kind) ?? 0) + words);
    const sum = sums.get(page.type) ?? { pages: 0, words: 0, lost: 0 };
    sums.set(page.type, {
      pages: sum.pages + 1,
      words: sum.words + lost.words,
      lost: sum.lost + lost.notWritten.length,
    });
    if (isVerbose && lost.notWritten.length > 0)
      console.log(`${page.id}: ${lost.notWritten.slice(0, 40).join(" ")}`);
  }
  for (const [type, { pages: count, words, lost }] of sums)
    console.log(`| ${type} | ${count} | ${words} | | ${lost} | | |`);
  printLeftOut(leftOut);
  return totalOf([...sums.values()].map(({ lost }) => lost));
}

function totalOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
