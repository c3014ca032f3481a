import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { IndexFile } from "../../src/stores/page-index/index-file.ts";
import type { Figure } from "./report.ts";

const PAGES = 100_000;
const BATCH = 50;
const QUERIES = 200;
const TEAM = "team";
const VOCABULARY = 30_000;
/** Common words are this much more common than rare ones. */
const SKEW = 3;

/** Search of stored pages: processor time, in this process, as the thread of the index spends it. */
export async function benchSearch(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-search-"));
  try {
    const index = new IndexFile(join(folder, "search.db"));
    const words = new Words();
    let addedMs = 0;
    for (let first = 0; first < PAGES; first += BATCH) {
      const pages = Array.from({ length: BATCH }, (_, number) => pageOf(first + number, words));
      addedMs += await processorMs(() => index.add(pages));
    }
    const times: number[] = [];
    for (let number = 0; number < QUERIES; number += 1) {
      const query = { teamId: TEAM, words: words.text(2 + (number % 4)), limit: 10 };
      times.push(await processorMs(() => index.search(query)));
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(share * (QUERIES - 1))] ?? 0;
    return [
      figureOf("indexing a page of 700 words, CPU", addedMs / PAGES, 0.6),
      figureOf(`search of ${PAGES} pages, CPU p50`, at(0.5), 20),
      figureOf(`search of ${PAGES} pages, CPU p95`, at(0.95), 60),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pageOf(number: number, words: Words) {
  const sections = Array.from({ length: 14 }, () => `## ${words.text(4)}\n\n${words.text(46)}`);
  return {
    teamId: TEAM,
    url: `https://site.test/${number}`,
    scrapeId: `scrape-${number}`,
    captureId: `capture-${number}`,
    title: words.text(7),
    description: words.text(15),
    markdown: `# ${words.text(6)}\n\n${sections.join("\n\n")}`,
  };
}

/** Words of which few are common, the same in each run. */
class Words {
  readonly #vocabulary = Array.from({ length: VOCABULARY }, (_, number) => wordOf(number));
  #seed = 7;

  text(count: number): string {
    return Array.from({ length: count }, () => this.#next()).join(" ");
  }

  #next(): string {
    this.#seed = (this.#seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const place = Math.floor((this.#seed / 2_147_483_648) ** SKEW * VOCABULARY);
    return this.#vocabulary[place] ?? "";
  }
}

const LETTERS = "aeioubcdfghlmnprst";
const ENDINGS = ["ing", "ed", "s", "er", "ly", "tion"];

function wordOf(number: number): string {
  let word = "";
  for (let rest = number + LETTERS.length; rest > 0; rest = Math.floor(rest / LETTERS.length))
    word += LETTERS[rest % LETTERS.length] ?? "";
  return word + (ENDINGS[number % ENDINGS.length] ?? "");
}

function figureOf(name: string, ms: number, limitMs: number): Figure {
  return { name, value: `${ms.toFixed(2)} ms`, limit: `${limitMs} ms`, isMet: ms <= limitMs };
}

async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
