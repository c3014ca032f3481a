// Writes the tables of docs/ from the tables in the code: settings, formats, options, errors, flags, prices.
// Usage: tsx scripts/documentation.ts [--check]
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

import { z } from "zod";

import { credits } from "../packages/server/src/api/credits.ts";
import { limits } from "../packages/server/src/api/limits.ts";
import { TeamFlags } from "../packages/server/src/api/teams.ts";
import { allErrors } from "../packages/server/src/api/error-codes.ts";
import { ignoredOptions } from "../packages/server/src/api/request.ts";
import { readConfig } from "../packages/server/src/config/config.ts";
import { nodeRoles } from "../packages/server/src/config/nodes.ts";
import { webhookEvents } from "../packages/server/src/jobs/webhook-setting.ts";
import { openMetrics } from "../packages/server/src/operator/health/metrics.ts";
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

const HOUR_MS = 60 * 60 * 1000;

/** Page → the part between `<!-- name -->` and `<!-- /name -->` → its text. */
const PARTS: readonly (readonly [page: string, name: string, text: () => string | Promise<string>])[] = [
  ["settings", "settings", settingTable],
  ["what-works", "formats", () => formatTable(formats)],
  ["what-works", "options", optionTable],
  ["what-works", "coverage", () => coverageTable(formats)],
  ["contract", "errors", errorTable],
  ["accounts", "flags", flagTable],
  ["accounts", "prices", priceTable],
  ["jobs", "events", eventTable],
  ["operations", "kept", keptTable],
  ["operations", "metrics", metricTable],
  ["scaling", "roles", roleTable],
];

/** Live settings have a star. */
export function settingTable(): string {
  const { described, changing } = readConfig({});
  const rows = described.map(({ name, part, usual, allowed, help }, index) => [
    ...(described[index - 1]?.part === part ? [] : [[`**${part}**`, "", "", ""]]),
    [
      `${code(name)}${changing.writable.has(name) ? " *" : ""}`,
      usual === null ? "none" : usual.includes("`") || usual.includes(" ") ? usual : code(usual),
      allowed ?? "",
      help,
    ],
  ]);
  return table(["Setting", "Default", "Allowed", "Meaning"], rows.flat());
}

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

/** What a team may do, by flag. */
function flagTable(): string {
  return table(
    ["Flag of a team (`--flag name=value`)", "Meaning"],
    Object.entries(TeamFlags.shape).map(([name, { description = "" }]) => [code(name), description]),
  );
}

/** Prices of formats, then of the rest. */
function priceTable(): string {
  const dear = Object.entries<FormatTable[string]>(formats).flatMap(([name, { price, model }]) => {
    const more = price?.credits ?? model?.credits ?? 0;
    return more === 0
      ? []
      : [[`format ${code(name)}`, `${more} more${price ? "" : ", if a model answered"}`]];
  });
  const rows: readonly (readonly [what: string, price: number | string])[] = [
    ["page, document or image", credits.base],
    ["format `json`, or change tracking in mode `json`", "5 instead of 1, if a model answered"],
    ["PDF: each page after the first", credits.furtherPdfPage],
    ["`redactPII`: each page", `${credits.redactedPage} more`],
    ["`checkPromptInjection`", `${credits.promptInjectionCheck} more`],
    ["zero data retention", `${credits.zeroDataRetention} more`],
    ["`lockdown`: hit, miss", `${credits.lockdownHit}, ${credits.lockdownMiss} in all`],
    ["URL that a threat classifier or list judged", credits.threatScan],
    ["map", credits.map],
    ["search: ten results", `${credits.searchResults}; ${credits.privateSearchResults} with \`zdr\``],
    ["session: a minute, with a prompt", `${credits.sessionMinute}, ${credits.promptedMinute}`],
    ["monitor: a page that a model judges", credits.judgment],
    ["agent: a step, besides its tool", 1],
  ];
  const [base, ...others] = rows.map(([what, price]) => [what, String(price)]);
  return table(["What", "Credits"], [base ?? [], ...dear, ...others]);
}

function eventTable(): string {
  const rows = Object.entries(webhookEvents).map(([name, words]) => [code(name), words.map(code).join(", ")]);
  return table(["First word", "Second word"], rows);
}

function roleTable(): string {
  return table(
    ["Role", "What a machine with it does"],
    Object.entries(nodeRoles).map(([name, meaning]) => [code(name), meaning]),
  );
}

/** What the operator or a request can choose has the setting in place of a time. */
function keptTable(): string {
  const { keptMs } = limits;
  const rows: readonly (readonly [what: string, kept: string | number])[] = [
    ["request log, with bodies where teams allow it", keptMs.records],
    ["answers (`GET /v2/scrape/{id}`)", keptMs.answers],
    ["screenshots, files of actions", keptMs.files],
    ["audio and video", keptMs.media],
    ["documents and errors of jobs", "`JOB_RETENTION_HOURS` after the end"],
    ["ids of jobs after that", keptMs.jobIds],
    ["checks of monitors", "`retentionDays`, usually 30"],
    ["provider requests", keptMs.providerRequests],
    ["feedback", keptMs.feedback],
    ["tokens of models", keptMs.modelTokens],
    ["cached pages", "until `CACHE_MAX_BYTES`, the oldest go first"],
    ["teams, ledger, audit log, profiles, usage figures", "until deleted: they grow"],
  ];
  const timeOf = (ms: number) => (ms > 24 * HOUR_MS ? `${ms / (24 * HOUR_MS)} days` : `${ms / HOUR_MS} h`);
  return table(
    ["Data", "Kept"],
    rows.map(([what, kept]) => [what, typeof kept === "number" ? timeOf(kept) : kept]),
  );
}

/** Those of our own; Node's and the process's are usual ones. */
async function metricTable(): Promise<string> {
  const none = () => 0;
  const jobs = async () => ({ count: 0, longestMs: 0 });
  const metrics = openMetrics({ fetching: none, waiting: none, limit: none, dueJobs: jobs, parts: () => [] });
  const { body } = await metrics.text();
  const rows = Array.from(body.matchAll(/^# HELP (pergamon_\w+) (.+)$/gm), ([, name = "", help = ""]) => [
    code(name),
    help,
  ]);
  return table(["Metric", "Meaning"], rows);
}

/** Codes by status; `pergamon explain` has the words. */
function errorTable(): string {
  const statuses = [...new Set(allErrors.map(({ status }) => status))].toSorted((a, b) => a - b);
  const rows = statuses.map((status) => [
    String(status),
    allErrors.flatMap((error) => (error.status === status ? [code(error.code)] : [])).join(", "),
  ]);
  return table(["Status", "Codes"], rows);
}

/** What is not done of what, and the reasons that it refers to. What is always done has no row. */
function coverageTable(built: FormatTable): string {
  const reasons: string[] = [];
  const cell = ({ idle, undone, refused }: Verdict) => {
    if (refused !== undefined) return code(refused);
    const reason = undone === undefined ? `nothing to do: ${idle}` : `warning: ${undone}`;
    if (!reasons.includes(reason)) reasons.push(reason);
    return `${reasons.indexOf(reason) + 1}`;
  };
  const rowOf = ([name, coverage]: readonly [string, Coverage]) => {
    const cells = [...ways, ...matters].flatMap((place) => {
      const verdict = coverage[place];
      return verdict ? [`${place} ${cell(verdict)}`] : [];
    });
    return cells.length === 0 ? [] : [[code(name), cells.join(", ")]];
  };
  const ofFormats = Object.entries(built).map(([name, { coverage = {} }]) => [name, coverage] as const);
  const rows = [...Object.entries<Coverage>(optionCoverage), ...ofFormats].flatMap(rowOf);
  const list = reasons.map((reason, index) => `${index + 1}. ${reason}`);
  return `${table(["Asked for", "Not done"], rows)}\n\n${list.join("\n")}`;
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

/** The page with what stands between its marks replaced. @throws Error when a mark is missing. */
export function withPart(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`A page lacks ${start} or ${end}.`);
  return `${before}${start}\n${text}\n${end}${after}`;
}

/** Writes the tables into the pages; with `--check` only says whether they are there. */
async function main(): Promise<void> {
  for (const [name, part, text] of PARTS) {
    const path = fileURLToPath(new URL(`../docs/${name}.md`, import.meta.url));
    const present = readFileSync(path, "utf8");
    const wanted = withPart(present, part, await text());
    if (wanted === present) continue;
    if (!process.argv.includes("--check")) writeFileSync(path, wanted);
    else {
      console.error(`The ${part} in ${path} are not those of the code. Run: npm run fix`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
