import { parseArgs } from "node:util";

import { runChild } from "../../bin/child.mjs";
import { type Figure, printFigures } from "./report.ts";
import { type ScaleOptions, scaleParts } from "./scale/parts.ts";

/** The options of benchmarks. */
interface BenchOptions extends ScaleOptions {
  /** Another commit, whose build is measured for comparison. */
  readonly against?: string | undefined;
  readonly rounds?: number | undefined;
}

type Part = (options: BenchOptions) => Promise<readonly Figure[]>;

/**
 * One line per benchmark. `npm run bench -- <name> …` runs some of them, without a name all. One of several parts prints
 * each as it ends, so that a part that fails takes no figures of the others along.
 */
const benches: Readonly<Record<string, Part | readonly Part[]>> = {
  start: async () => (await import("./start.ts")).benchStart(),
  memory: async () => (await import("./memory.ts")).benchMemory(),
  pages: async (options) => (await import("./pages.ts")).benchPages(options),
  answers: [
    async ({ against }) => (await import("./answers.ts")).benchAnswers("pages", against),
    async ({ against }) => (await import("./answers.ts")).benchAnswers("documents", against),
  ],
  cached: [
    async () => (await import("./cached.ts")).benchCached(),
    async () => (await import("./accounts.ts")).benchAccounts(),
  ],
  browser: async () => (await import("./browser.ts")).benchBrowser(),
  documents: async () => (await import("./documents.ts")).benchDocuments(),
  "document-library": async () => (await import("./document-library.ts")).benchDocumentLibrary(),
  crawl: [
    async () => (await import("./crawl.ts")).benchCrawl(),
    async () => (await import("./crawl-nodes.ts")).benchCrawlNodes(1),
    async () => (await import("./crawl-nodes.ts")).benchCrawlNodes(4),
  ],
  revalidated: async () => (await import("./revalidated.ts")).benchRevalidated(),
  "crawl-memory": async () => (await import("./crawl-memory.ts")).benchCrawlMemory(),
  content: async () => (await import("./content.ts")).benchContent(),
  scale: scaleParts,
  disk: async () => (await import("./disk.ts")).benchDisk(),
  // What the operator's pages cost: to keep open, to ask, to load and use, and to come to.
  dashboard: [
    async () => (await import("./dashboard/viewers.ts")).benchViewers(),
    async () => (await import("./dashboard/overview.ts")).benchOverview(),
    async () => (await import("./dashboard/pages.ts")).benchPages(),
    async () => (await import("./dashboard/first-run.ts")).benchFirstRun(),
  ],
};

/**
 * Runs each benchmark in a process of its own: what one leaves behind (open connections, a grown heap, code that was
 * compiled for other input) neither changes the figures of the next nor keeps it from running.
 */
async function runAll(names: readonly string[]): Promise<void> {
  for (const name of names) {
    process.stdout.write(`\n${name}\n`);
    const command = [process.execPath, ...process.execArgv, import.meta.filename, name] as const;
    const { code } = await runChild(command, { cwd: process.cwd() });
    if (code === 0) continue;
    process.stderr.write(`${name} could not be measured.\n`);
    process.exitCode = 1;
  }
}

async function runParts(parts: readonly Part[], options: BenchOptions): Promise<void> {
  for (const part of parts) {
    try {
      printFigures(await part(options));
    } catch (failure) {
      console.error(failure);
      process.exitCode = 1;
    }
  }
}

async function run(wanted: readonly string[], options: BenchOptions): Promise<void> {
  const known = Object.keys(benches);
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no benchmark ${unknown.join(", ")}. Use one of: ${known.join(", ")}.\n`);
    process.exitCode = 1;
    return;
  }
  const [only, ...more] = wanted;
  const bench = only === undefined ? undefined : benches[only];
  if (bench && more.length === 0) await runParts([bench].flat(), options);
  else await runAll(wanted.length > 0 ? wanted : known);
}

const { values, positionals } = parseArgs({
  options: {
    against: { type: "string" },
    rounds: { type: "string" },
    "core-hour-price": { type: "string" },
    "browser-share": { type: "string" },
    "used-share": { type: "string" },
    "megabytes-a-page": { type: "string" },
  },
  allowPositionals: true,
});
const { against, rounds } = values;
await run(positionals, {
  against,
  rounds: rounds === undefined ? undefined : Number(rounds),
  assumptions: {
    ...given("coreHourPrice", values["core-hour-price"]),
    ...given("browserShare", values["browser-share"]),
    ...given("usedShare", values["used-share"]),
    ...given("megabytesAPage", values["megabytes-a-page"]),
  },
});

/** A number of the command line; without it nothing. @throws Error when it is none. */
function given<Name extends string>(name: Name, text: string | undefined): Partial<Record<Name, number>> {
  if (text === undefined) return {};
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${name} is not a number above 0: ${text}`);
  return { [name]: number } as Record<Name, number>;
}
