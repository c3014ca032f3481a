import { type Command, InvalidArgumentError, Option } from "commander";

import { readJson } from "../scrape/request-options.ts";
import type { Program } from "./program.ts";

interface MapOptions {
  readonly search?: string;
  readonly limit?: number;
  readonly sitemap?: string;
  readonly subdomains: boolean;
  readonly queries?: boolean;
  readonly timeout?: number;
  readonly json?: boolean;
  readonly request?: object;
}

export function addMapCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("map")
    .description("List the pages of a site, one on each line.")
    .argument("<url>", "the site, or the part of it below a path")
    .option("-s, --search <words>", "Put pages first that fit these words.")
    .option("-l, --limit <count>", "The most pages. Default: 5000.", wholeNumber)
    .addOption(
      new Option("--sitemap <use>", "Read sitemaps beside the page, not at all, or alone.").choices([
        "include",
        "skip",
        "only",
      ]),
    )
    .option("--no-subdomains", "Leave pages of subdomains out.")
    .option("--queries", "List pages that differ in their queries alone.")
    .option("--timeout <milliseconds>", "What was found until then is printed.", wholeNumber)
    .option("--json", "The whole answer as JSON.")
    .option("--request <file>", "Further fields of the request, as a file of JSON.", readJson)
    .action((url: string, options: MapOptions) => printMap(url, options, createProgram()));
}

async function printMap(url: string, options: MapOptions, program: Program): Promise<void> {
  const gone = new AbortController();
  const stop = () => gone.abort(new Error("Nobody reads this any more."));
  process.stdout.once("error", stop);
  const mapper = await program.openMapper();
  try {
    const { id, links, warning } = await mapper.map(bodyOf(url, options), gone.signal);
    if (warning !== undefined) process.stderr.write(`${warning}\n`);
    const text = options.json
      ? JSON.stringify({ id, links, warning }, null, 2)
      : links.map((link) => link.url).join("\n");
    if (text !== "") process.stdout.write(`${text}\n`);
  } finally {
    process.stdout.off("error", stop);
    await mapper.close();
  }
}

function bodyOf(url: string, options: MapOptions): Readonly<Record<string, unknown>> {
  const { search, limit, sitemap, subdomains, queries, timeout, request = {} } = options;
  return {
    ...request,
    url,
    ...(search !== undefined && { search }),
    ...(limit !== undefined && { limit }),
    ...(sitemap !== undefined && { sitemap }),
    ...(!subdomains && { includeSubdomains: false }),
    ...(queries && { ignoreQueryParameters: false }),
    ...(timeout !== undefined && { timeout }),
    origin: "cli",
  };
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It has to be a whole number.");
  return Number(text);
}
