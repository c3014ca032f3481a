import { type Command, InvalidArgumentError, Option } from "commander";

import { formatNames, formatOption, requestedFormats } from "../scrape/command/chosen-formats.ts";
import * as builtFormats from "../scrape/formats/all.ts";
import { describeRequestOptions, readJson, requestFields } from "../scrape/command/request-options.ts";
import { followJob } from "../jobs/command/follow-job.ts";
import type { Program, Runner } from "../cli/program.ts";

interface CrawlOptions extends Readonly<Record<string, unknown>> {
  readonly limit?: number;
  readonly includePaths?: readonly string[];
  readonly excludePaths?: readonly string[];
  readonly depth?: number;
  readonly sitemap?: string;
  readonly entireDomain?: boolean;
  readonly subdomains?: boolean;
  readonly ignoreRobots?: boolean;
  readonly delay?: number;
  readonly concurrency?: number;
  readonly external?: boolean;
  readonly prompt?: string;
  readonly format?: readonly string[];
  readonly output?: string;
  readonly keepErrors?: boolean;
  readonly resume?: string;
  readonly cancel?: string;
  readonly request?: object;
}

export function addCrawlCommand(cli: Command, createProgram: () => Program): void {
  const command = cli
    .command("crawl")
    .description("Scrape the pages of a site, following its links. Prints one line of JSON for each.")
    .argument("[url]", "the first page; only pages below its path are visited")
    .option("-l, --limit <count>", "Maximum pages. Default: 10000.", wholeNumber)
    .option("--include-paths <pattern...>", "Visit only pages whose path matches one of these (RE2).")
    .option("--exclude-paths <pattern...>", "Skip pages whose path matches one of these (RE2).")
    .option("--depth <links>", "Maximum links to follow from the first page.", wholeNumber)
    .addOption(
      new Option("--sitemap <use>", "Whether to use sitemaps: with links, not at all, or only them.").choices(
        ["include", "skip", "only"],
      ),
    )
    .option("--entire-domain", "Visit pages outside of the path of the first page, too.")
    .option("--subdomains", "Visit pages of subdomains, too.")
    .option("--external", "Visit pages of other sites that pages link to, too.")
    .option("--ignore-robots", "Visit pages that robots.txt forbids.")
    .option(
      "--delay <seconds>",
      "Seconds between two pages, which are visited one at a time then.",
      wholeNumber,
    )
    .option("--concurrency <pages>", "Maximum pages at once.", wholeNumber)
    .option("--prompt <text>", "What to crawl, in words. It needs a language model.")
    .option("-o, --output <folder>", "Write files by the paths of the pages, and index.jsonl.")
    .option("--keep-errors", "Write files of pages that answered with an error, too.")
    .option("--resume <id>", "Continue a crawl that was stopped. Prints all of its pages.")
    .option("--cancel <id>", "Cancel a crawl that was stopped.");
  for (const option of [formatOption(builtFormats), ...describeRequestOptions()]) command.addOption(option);
  command
    .option("--request <file>", "JSON file with additional fields of the request.", readJson)
    .action((url: string | undefined, options: CrawlOptions) => runCrawl(url, options, createProgram()));
}

async function runCrawl(url: string | undefined, options: CrawlOptions, program: Program): Promise<void> {
  const { resume, cancel } = options;
  if ([url, resume, cancel].filter((one) => one !== undefined).length !== 1)
    throw new Error("Name the first page, or a crawl by --resume or --cancel.");
  const runner = await program.openRunner();
  try {
    if (cancel !== undefined) return await cancelCrawl(runner, cancel);
    const id = resume ?? (await startCrawl(runner, bodyOf(url ?? "", options)));
    const { output: folder, keepErrors } = options;
    const formats = formatNames(options.format ?? []);
    await followJob(runner, id, { command: "crawl", folder, formats, keepErrors });
  } finally {
    await runner.close();
  }
}

async function startCrawl(runner: Runner, body: Readonly<Record<string, unknown>>): Promise<string> {
  return (await runner.start((await import("./crawl.ts")).crawl, body)).id;
}

async function cancelCrawl(runner: Runner, id: string): Promise<void> {
  await runner.cancel(id);
  process.stderr.write(`The crawl ${id} is cancelled.\n`);
}

function bodyOf(url: string, options: CrawlOptions): Readonly<Record<string, unknown>> {
  const {
    limit,
    includePaths,
    excludePaths,
    depth,
    sitemap,
    entireDomain,
    subdomains,
    ignoreRobots,
    delay,
    concurrency,
    external,
    prompt,
    format,
    request = {},
  } = options;
  const { webhook, scrapeOptions } = request as {
    readonly webhook?: unknown;
    readonly scrapeOptions?: object;
  };
  if (webhook !== undefined) throw new Error("Crawls started here send no webhooks. Remove webhook.");
  return {
    ...request,
    url,
    ...(limit !== undefined && { limit }),
    ...(includePaths && { includePaths }),
    ...(excludePaths && { excludePaths }),
    ...(depth !== undefined && { maxDiscoveryDepth: depth }),
    ...(sitemap !== undefined && { sitemap }),
    ...(entireDomain && { crawlEntireDomain: true }),
    ...(subdomains && { allowSubdomains: true }),
    ...(external && { allowExternalLinks: true }),
    ...(ignoreRobots && { ignoreRobotsTxt: true }),
    ...(delay !== undefined && { delay }),
    ...(concurrency !== undefined && { maxConcurrency: concurrency }),
    ...(prompt !== undefined && { prompt }),
    scrapeOptions: {
      ...scrapeOptions,
      ...(format && { formats: requestedFormats(format) }),
      ...requestFields(options),
    },
    origin: "cli",
  };
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It has to be a whole number.");
  return Number(text);
}
