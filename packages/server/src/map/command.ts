import { type Command, InvalidArgumentError, Option } from "commander";

import { readJson } from "../scrape/command/request-options.ts";
import type { Program } from "../cli/program.ts";

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
    .description("List the pages of a site, one per line.")
    .argument("<url>", "URL of the site, or of the part of the site to map")
    .option("-s, --search <words>", "Words to rank the pages by.")
    .option("-l, --limit <count>", "Maximum number of pages. Default: 5000.", wholeNumber)
    .addOption(
      new Option(
        "--sitemap <use>",
        "Sources: sitemaps and the page (include), only the page (skip), or only sitemaps (only).",
      ).choices(["include", "skip", "only"]),
    )
    .option("--no-subdomains", "Leave out pages of subdomains.")
    .option("--queries", "Also list pages that differ only in their query parameters.")
    .option("--timeout <milliseconds>", "Deadline. Pages found before the deadline are printed.", wholeNumber)
    .option("--json", "Print the whole response as JSON.")
    .option("--request <file>", "JSON file with additional fields of the request.", readJson)
    .action((url: string, options: MapOptions) => printMap(url, options, createProgram()));
}

async function printMap(url: string, options: MapOptions, program: Program): Promise<void> {
  const gone = new AbortController();
  const stop = () => gone.abort(new Error("The reader closed the output."));
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
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Expected a whole number.");
  return Number(text);
}
