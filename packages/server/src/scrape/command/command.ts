import type { Command } from "commander";

import { Gate } from "@pergamon-dev/kit/gate";
import {
  chosenFormats,
  describeFormatOptions,
  formatNames,
  type FormatOptions,
  requestedFormats,
} from "./chosen-formats.ts";
import { deliver, type Delivery } from "./deliver.ts";
import { openDestination } from "./destination.ts";
import { isLocalFile } from "./local-files.ts";
import { describeRequestOptions, readJson, requestFields } from "./request-options.ts";
import { explainFailure } from "../../cli/explain-failure.ts";
import type { Program, Scraper } from "../../cli/program.ts";
import { progressLine } from "../../cli/progress-line.ts";

/** Maximum pages that are scraped at once. */
const AT_ONCE = 8;

export interface ScrapeOptions extends FormatOptions {
  readonly output?: string;
  readonly json?: boolean;
}

interface Run {
  readonly scraper: Scraper;
  readonly body: Readonly<Record<string, unknown>>;
  readonly delivery: Delivery;
  readonly progress: ScrapeProgress;
  /** Aborts when the reader of the results closes the output. */
  readonly signal: AbortSignal;
}

export function addScrapeCommand(cli: Command, createProgram: () => Program): void {
  const command = cli
    .command("scrape")
    .description("Print pages, by default as Markdown. The word scrape can be omitted.")
    .argument("<url...>", "the pages, or files such as ./report.pdf")
    .option("-o, --output <path>", "Write to this file, or to files in this folder.")
    .option("--json", "Print the whole response as JSON.");
  for (const option of [...describeFormatOptions(), ...describeRequestOptions()]) command.addOption(option);
  command
    .option("--request <file>", "JSON file with additional fields of the request.", readJson)
    .action((urls: readonly string[], options: ScrapeOptions) => scrapeAll(urls, options, createProgram()));
}

/**
 * Scrapes pages and reads files in order, and delivers their results.
 * @param places where the results of files of a folder belong below the output folder.
 */
export async function scrapeAll(
  urls: readonly string[],
  options: ScrapeOptions,
  program: Program,
  places: ReadonlyMap<string, string | undefined> = new Map(),
): Promise<void> {
  const destination = openDestination(options.output, urls.length > 1, places);
  const body = bodyOf(options);
  const progress = scrapeProgress(urls);
  const reader = watchReader();
  const scraper = await program.openScraper().catch((failure: unknown) => {
    progress.end();
    throw failure;
  });
  try {
    const delivery = {
      destination,
      formats: formatNames(chosenFormats(options)),
      asJson: options.json ?? false,
      isSeveral: urls.length > 1,
      openFile: (link: string) => scraper.openFile(link),
      print: progress.print,
      tell: progress.tell,
    };
    await scrapeEach(urls, { scraper, body, delivery, progress, signal: reader.signal });
  } finally {
    progress.end();
    reader.end();
    await scraper.close();
  }
}

/** Delivers results as they are ready. A failure does not stop the others. */
async function scrapeEach(urls: readonly string[], run: Run): Promise<void> {
  const { progress, signal } = run;
  const gate = new Gate(AT_ONCE);
  await Promise.all(
    urls.map(async (url) => {
      try {
        await gate.run(() => scrapeOne(url, run), signal);
        progress.countEnd(false);
      } catch (failure) {
        if (signal.aborted) return;
        progress.countEnd(true);
        const told = explainFailure(failure);
        progress.tell(urls.length > 1 ? `${url}: ${told}` : told);
      }
    }),
  );
  if (progress.failed > 0) process.exitCode = 1;
}

async function scrapeOne(url: string, { scraper, body, delivery, progress, signal }: Run): Promise<void> {
  const data = isLocalFile(url)
    ? await scraper.parse(url, body, signal)
    : await scraper.scrape({ ...body, url }, signal);
  await deliver(url, data, delivery);
  const { statusCode = 200 } = data.metadata as { readonly statusCode?: number };
  if (statusCode >= 400) progress.tell(`${delivery.isSeveral ? url : "The page"} answered ${statusCode}.`);
}

function bodyOf(options: ScrapeOptions): Readonly<Record<string, unknown>> {
  const formats = requestedFormats(chosenFormats(options));
  return { ...options.request, formats, ...requestFields(options), origin: "cli" };
}

/** Detects that the reader of standard output has closed it, as `head` does. */
function watchReader() {
  const gone = new AbortController();
  const stop = () => gone.abort(new Error("The reader closed the output."));
  process.stdout.once("error", stop);
  return { signal: gone.signal, end: () => void process.stdout.off("error", stop) };
}

/** Reports the progress of a run on standard error, and keeps printed results clear of that line. */
interface ScrapeProgress {
  /** Prints to standard output. */
  print(text: string): void;
  /** Writes a sentence to standard error. */
  tell(sentence: string): void;
  countEnd(hasFailed: boolean): void;
  readonly failed: number;
  end(): void;
}

function scrapeProgress(urls: readonly string[]): ScrapeProgress {
  const line = progressLine();
  const startMs = Date.now();
  let [ended, failed] = [0, 0];
  const show = () => line.show(`${stateOf(urls, ended, failed)}, ${secondsSince(startMs)} s`);
  const write = (stream: NodeJS.WriteStream, text: string) => {
    line.end();
    stream.write(text);
  };
  show();
  const timer = setInterval(show, 1000);
  return {
    print: (text) => write(process.stdout, text),
    tell: (sentence) => write(process.stderr, `${sentence}\n`),
    countEnd(hasFailed) {
      ended += 1;
      if (hasFailed) failed += 1;
      show();
    },
    get failed() {
      return failed;
    },
    end() {
      clearInterval(timer);
      line.end();
    },
  };
}

function stateOf(urls: readonly string[], ended: number, failed: number): string {
  if (urls.length === 1) return `Scraping ${urls[0]}`;
  const failures = failed > 0 ? `, ${failed} failed` : "";
  return `Scraped ${ended} of ${urls.length}${failures}`;
}

function secondsSince(startMs: number): number {
  return Math.round((Date.now() - startMs) / 1000);
}
