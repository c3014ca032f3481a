import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Figures } from "./page-data/labelled-sets.ts";
import { openService, type Service } from "./page-data/service.ts";

const FOLDER = join(import.meta.dirname, "../pages");

/** A page of our own with the Markdown that a person would write of it. */
interface OwnPage {
  readonly id: string;
  readonly type: string;
  readonly url: string;
  readonly markdown: string;
  html(): string;
}

interface Check {
  readonly name: string;
  readonly page: string;
  readonly request: object;
  readonly expect?: object;
  readonly with?: readonly string[];
  readonly without?: readonly string[];
}

export function ownPages(): readonly OwnPage[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".html"))
    .map((file) => file.slice(0, -".html".length))
    .map((id) => ({
      id,
      type: "own",
      url: `https://site.test/${id}`,
      markdown: readFileSync(join(FOLDER, `${id}.md`), "utf8"),
      html: () => readFileSync(join(FOLDER, `${id}.html`), "utf8"),
    }));
}

/**
 * Scores the pages that travel with the project.
 * @param name a kind of check; undefined: all, and the Markdown
 */
export async function scoreOwnPages(scrape: string, name?: string): Promise<Figures> {
  const service = await openService(scrape);
  try {
    const checks = (JSON.parse(readFileSync(join(FOLDER, "checks.json"), "utf8")) as readonly Check[]).filter(
      (check) => name === undefined || check.name === name,
    );
    const passed = await countPassed(service, checks);
    const share = ["own pages: checks passed", passed / checks.length] as const;
    if (name !== undefined && checks.length > 0) return [share];
    return [...(await scoreMarkdown(service)), ...(checks.length === 0 ? [] : [share])];
  } finally {
    service.close();
  }
}

async function scoreMarkdown(service: Service): Promise<Figures> {
  const scores: { f1: number; kept: number }[] = [];
  for (const { id, html, markdown } of ownPages()) {
    const { data } = await service.scrapeHtml(id, html(), { fastMode: true });
    // Links on the page lead to the site that shows it.
    const found = (data.markdown ?? "").replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "");
    const f1 = sharedF1(wordsOf(found), wordsOf(markdown));
    const lines = linesOf(markdown);
    const kept = lines.filter((line) => linesOf(found).includes(line)).length / lines.length;
    scores.push({ f1, kept });
    console.log(`${id.padEnd(14)} words F1 ${f1.toFixed(3)}  lines kept ${kept.toFixed(3)}`);
  }
  return [
    ["own pages: words F1", meanOf(scores.map(({ f1 }) => f1))],
    ["own pages: lines kept", meanOf(scores.map(({ kept }) => kept))],
  ];
}

async function countPassed(service: Service, checks: readonly Check[]): Promise<number> {
  const pages = new Map(ownPages().map((page) => [page.id, page]));
  let passed = 0;
  for (const { name, page, request, expect = {}, with: wanted = [], without = [] } of checks) {
    const { data } = await service.scrapeHtml(page, pages.get(page)?.html() ?? "", request);
    const text = JSON.stringify(data);
    const isRight =
      holds(data, expect) &&
      wanted.every((word) => text.includes(word)) &&
      without.every((word) => !text.includes(word));
    if (isRight) passed += 1;
    console.log(`${name.padEnd(14)} of ${page}: ${isRight ? "right" : `WRONG, got ${text.slice(0, 400)}`}`);
  }
  return passed;
}

/** Whether everything that is expected stands in the value. */
function holds(value: unknown, expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return value === expected;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(expected).every(([key, part]) => holds(Reflect.get(value, key), part));
}

function sharedF1(found: readonly string[], wanted: readonly string[]): number {
  const open = new Map<string, number>();
  for (const word of wanted) open.set(word, (open.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of found) {
    const left = open.get(word) ?? 0;
    if (left === 0) continue;
    open.set(word, left - 1);
    shared += 1;
  }
  return (2 * shared) / Math.max(1, found.length + wanted.length);
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
