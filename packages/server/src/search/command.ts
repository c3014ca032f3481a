import { type Command, InvalidArgumentError } from "commander";

import type { SearchAnswer } from "./data.ts";
import { readJson } from "../scrape/command/request-options.ts";
import type { Program } from "../cli/program.ts";

interface SearchOptions {
  readonly limit?: number;
  readonly sources?: readonly string[];
  readonly format?: readonly string[];
  readonly json?: boolean;
  readonly request?: object;
}

export function addSearchCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("search")
    .description("Search the web, or stored pages where no search engine is set.")
    .argument("<words...>", "what to look for")
    .option("-l, --limit <count>", "Results of each source. Default: 10.", wholeNumber)
    .option("-s, --sources <names>", "web, news, images: comma list. Default: web.", listed)
    .option("-f, --format <names>", "Scrape each page, in these formats: comma list.", listed)
    .option("--json", "The whole answer as JSON.")
    .option("--request <file>", "Further fields of the request, as a file of JSON.", readJson)
    .action((words: readonly string[], options: SearchOptions) =>
      printResults(words.join(" "), options, createProgram()),
    );
}

async function printResults(query: string, options: SearchOptions, program: Program): Promise<void> {
  const gone = new AbortController();
  const stop = () => gone.abort(new Error("The reader closed the output."));
  process.stdout.once("error", stop);
  const searcher = await program.openSearcher();
  try {
    const answer = await searcher.search(bodyOf(query, options), gone.signal);
    if (answer.warning !== undefined) process.stderr.write(`${answer.warning}\n`);
    const text = options.json ? JSON.stringify(answer, null, 2) : textOf(answer);
    if (text !== "") process.stdout.write(`${text}\n`);
  } finally {
    process.stdout.off("error", stop);
    await searcher.close();
  }
}

function bodyOf(query: string, { limit, sources, format, request = {} }: SearchOptions) {
  return {
    ...request,
    query,
    ...(limit !== undefined && { limit }),
    ...(sources && { sources }),
    ...(format && { scrapeOptions: { formats: format } }),
    origin: "cli",
  };
}

/** Title, address and description of each result, with the Markdown of its page if requested. */
function textOf({ data: { web = [], news = [], images = [] } }: SearchAnswer): string {
  const parts = [
    ...web.map(({ title, url, description, markdown }) => [title, url, description, markdown]),
    ...news.map(({ title, url, snippet, markdown }) => [title, url, snippet, markdown]),
    ...images.map(({ title, imageUrl }) => [title, imageUrl]),
  ];
  return parts.map((lines) => lines.filter(Boolean).join("\n")).join("\n\n");
}

function listed(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It has to be a whole number.");
  return Number(text);
}
