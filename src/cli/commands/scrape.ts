import { type Command, Option } from "commander";

import { own } from "../../kit/own.ts";
import * as builtFormats from "../../scrape/formats/all.ts";
import type { FormatTable } from "../../scrape/formats/format.ts";
import { bareFormats } from "../../scrape/request/formats.ts";
import type { ScrapeData } from "../../scrape/answer/schema.ts";
import type { Program } from "./program.ts";

interface ScrapeOptions {
  readonly format: readonly string[];
  readonly fullPage: boolean;
  readonly maxAge?: string;
}

export function addScrapeCommand(cli: Command, createProgram: () => Program): void {
  cli
    .command("scrape")
    .description("Print a page, as Markdown unless told otherwise.")
    .argument("<url>", "the page")
    .addOption(formatOption(builtFormats))
    .option("--full-page", "keep navigation, headers and footers", false)
    .option("--max-age <milliseconds>", "oldest cached copy that may be used; 0 fetches anew")
    .action(async (url: string, options: ScrapeOptions) => {
      const endProgress = showProgress(url);
      const data = await createProgram().scrape(bodyOf(url, options)).finally(endProgress);
      process.stdout.write(`${render(data, options.format)}\n`);
    });
}

/** The formats that need no options. */
export function formatOption(formats: FormatTable): Option {
  return new Option("--format <format...>", "what to print")
    .choices([...bareFormats(formats).keys()])
    .default(["markdown"]);
}

function bodyOf(url: string, { format, fullPage, maxAge }: ScrapeOptions) {
  return {
    url,
    formats: format,
    onlyMainContent: !fullPage,
    origin: "cli",
    ...(maxAge !== undefined && { maxAge: Number(maxAge) }),
  };
}

/** Of a single format its field alone; text is printed as it is, everything else as JSON. */
function render(data: ScrapeData, format: readonly string[]): string {
  const formats: FormatTable = builtFormats;
  const fields = format.flatMap((name) => Object.keys(own(formats, name)?.answer ?? {}));
  const [only] = fields;
  if (fields.length !== 1 || only === undefined) return JSON.stringify(data, undefined, 2);
  const value: unknown = Object.entries(data).find(([name]) => name === only)?.[1];
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}

/** A line on standard error that counts the seconds, when somebody looks. */
function showProgress(url: string): () => void {
  if (!process.stderr.isTTY) return () => {};
  const startMs = Date.now();
  const show = () =>
    process.stderr.write(`\r\u001B[KScraping ${url} … ${Math.round((Date.now() - startMs) / 1000)} s`);
  show();
  const timer = setInterval(show, 1000);
  return () => {
    clearInterval(timer);
    process.stderr.write("\r\u001B[K");
  };
}
