import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

import { z } from "zod";

import { ignoredOptions } from "../src/contract/request.ts";
import * as formats from "../src/scrape/formats/all.ts";
import type { FormatTable } from "../src/scrape/formats/format.ts";
import { plannedFormats } from "../src/scrape/formats/planned.ts";
import type { FormatRequests } from "../src/scrape/request/formats.ts";
import { missingOptions } from "../src/scrape/request/not-implemented.ts";
import { scrapeRequestSchema } from "../src/scrape/request/schema.ts";

const PAGE = fileURLToPath(new URL("../docs/what-works.md", import.meta.url));

/** The tables of formats: those that are built, then those that are answered with 501. */
export function formatTables(built: FormatTable, planned: FormatRequests): string {
  const works = Object.entries(built).map(([type, { options, answer }]) => [
    code(type),
    options.description ?? "",
    optionNames(options).map(code).join(", "),
    Object.keys(answer).map(code).join(", "),
  ]);
  const missing = Object.entries(planned).map(([type, { options }]) => [
    code(type),
    options.description ?? "",
  ]);
  return `${table(["Works", "What it gives", "Options", "Field of `data`"], works)}

${table(["Answers 501", "What it will give"], missing)}`;
}

/** The tables of the request's other fields, without those that are accepted and ignored. */
function optionTables(): string {
  const missing = new Set(missingOptions.flatMap(({ name, refinedBy = [] }) => [name, ...refinedBy]));
  const options = Object.entries(scrapeRequestSchema(() => false).shape)
    .filter(([name]) => !(name in ignoredOptions))
    .map(([name, { description = "" }]) => ({ name, row: [code(name), description] }));
  const works = options.filter(({ name }) => !missing.has(name)).map(({ row }) => row);
  const others = options.filter(({ name }) => missing.has(name)).map(({ row }) => row);
  return `${table(["Works", "What it does"], works)}

${table(["Answers 501", "What it will do"], others)}`;
}

function optionNames(options: z.ZodType): readonly string[] {
  const { properties = {} } = z.toJSONSchema(options, { io: "input" });
  return Object.keys(properties).filter((name) => name !== "type");
}

function code(name: string): string {
  return `\`${name}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows.map((row) => row.map(escaped))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** The page with what stands between `<!-- name -->` and `<!-- /name -->` replaced. */
function withPart(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} lacks ${start} or ${end}.`);
  return `${before}${start}\n${text}\n${end}${after}`;
}

/** Writes the tables into the page; with `--check` only says whether they are there. */
function main(): void {
  const present = readFileSync(PAGE, "utf8");
  const withFormats = withPart(present, "formats", formatTables(formats, plannedFormats));
  const wanted = withPart(withFormats, "options", optionTables());
  if (wanted === present) return;
  if (!process.argv.includes("--check")) return writeFileSync(PAGE, wanted);
  console.error("docs/what-works.md is not what the tables of formats and options say. Run: npm run fix");
  process.exitCode = 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main();
