import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

import { z } from "zod";

import { ignoredOptions } from "../packages/server/src/api/request.ts";
import * as formats from "../packages/server/src/scrape/formats/all.ts";
import {
  type Coverage,
  matters,
  optionCoverage,
  type Verdict,
  ways,
} from "../packages/server/src/scrape/formats/coverage.ts";
import type { FormatTable } from "../packages/server/src/scrape/formats/format.ts";
import { scrapeRequestSchema } from "../packages/server/src/scrape/request/schema.ts";

const PAGE = fileURLToPath(new URL("../docs/what-works.md", import.meta.url));
const CONTRACT = fileURLToPath(new URL("../docs/contract.md", import.meta.url));

/** The table of formats. */
export function formatTable(built: FormatTable): string {
  const works = Object.entries(built).map(([type, { options, answer }]) => [
    code(type),
    options.description ?? "",
    optionNames(options).map(code).join(", "),
    Object.keys(answer).map(code).join(", "),
  ]);
  return table(["Works", "What it gives", "Options", "Field of `data`"], works);
}

/** The table of the request's other fields, without those that are accepted and ignored. */
function optionTable(): string {
  const options = Object.entries(scrapeRequestSchema(() => false).shape)
    .filter(([name]) => !(name in ignoredOptions))
    .map(([name, { description = "" }]) => [code(name), description]);
  return table(["Works", "What it does"], options);
}

/** The table of what is done of what, and the reasons that it refers to. */
export function coverageTable(built: FormatTable): string {
  const reasons: string[] = [];
  const cell = ({ idle, undone, refused }: Verdict) => {
    if (refused !== undefined) return code(refused);
    const reason = undone === undefined ? `nothing to do: ${idle}` : `warning: ${undone}`;
    if (!reasons.includes(reason)) reasons.push(reason);
    return `${reasons.indexOf(reason) + 1}`;
  };
  const rowOf = ([name, coverage]: readonly [string, Coverage]) => [
    code(name),
    ...[...ways, ...matters].map((place) => (coverage[place] ? cell(coverage[place]) : "✓")),
  ];
  const ofFormats = Object.entries(built).map(([name, { coverage = {} }]) => [name, coverage] as const);
  const rows = [...Object.entries<Coverage>(optionCoverage), ...ofFormats].map(rowOf);
  const list = reasons.map((reason, index) => `${index + 1}. ${reason}`);
  return `${table(["Asked for", ...ways, ...matters], rows)}\n\n${list.join("\n")}`;
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
  if (before === undefined || after === undefined) throw new Error(`A page lacks ${start} or ${end}.`);
  return `${before}${start}\n${text}\n${end}${after}`;
}

/** Writes the tables into the pages; with `--check` only says whether they are there. */
function main(): void {
  keep(PAGE, (page) => withPart(withPart(page, "formats", formatTable(formats)), "options", optionTable()));
  keep(CONTRACT, (page) => withPart(page, "coverage", coverageTable(formats)));
}

function keep(path: string, change: (page: string) => string): void {
  const present = readFileSync(path, "utf8");
  const wanted = change(present);
  if (wanted === present) return;
  if (!process.argv.includes("--check")) return writeFileSync(path, wanted);
  console.error(`${path} is not what the tables of formats and options say. Run: npm run fix`);
  process.exitCode = 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main();
