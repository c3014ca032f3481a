import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

import type * as findModule from "../../../packages/facts/src/redaction/find.ts";
import type { Comparison, Rule } from "./rule.ts";
import { copySources } from "./switched-sources.ts";

interface Text {
  readonly id: string;
  readonly text: string;
  readonly spans: readonly { readonly start: number; readonly end: number; readonly type: string }[];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** With the tagger, and without it. */
const MODES = ["accurate", "fast"] as const;
const FILES = ["pages.jsonl.gz", "presidio.jsonl", "sentences.jsonl"];

/**
 * Rules of redaction. Texts of one template count as one site: they differ in their names alone.
 * @param folder of labelled texts
 */
export async function comparePersonalData(
  rules: readonly Rule[],
  folder: string,
): Promise<readonly Comparison[]> {
  const sources = copySources("personal-data", rules);
  const { findPersonalData } = (await sources.load("packages/facts/src/redaction/find.ts")) as typeof findModule;
  return FILES.flatMap((file) => readTexts(join(folder, file))).flatMap((row) => {
    const answer = (): number =>
      MODES.reduce((sum, mode) => sum + shareCovered(row, findPersonalData(row.text, mode)), 0) /
      MODES.length;
    const site = templateOf(row);
    const withRule = answer();
    return rules.map(({ name }) => ({
      rule: name,
      site,
      withRule,
      without: sources.without(name, answer),
    }));
  });
}

function readTexts(path: string): readonly Text[] {
  const bytes = readFileSync(path);
  const rows = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").trim().split("\n");
  return rows.map((row) => JSON.parse(row) as Text);
}

/** The text without what was filled in: labelled values and figures. */
function templateOf({ text, spans }: Text): string {
  let template = "";
  let at = 0;
  for (const { start, end, type } of spans.toSorted((a, b) => a.start - b.start)) {
    template += `${text.slice(at, start)}<${type}>`;
    at = end;
  }
  return (template + text.slice(at)).replaceAll(/\d+/g, "0").slice(0, 80);
}

/** Characters rightly taken away, of all that are personal or taken away. */
function shareCovered({ spans }: Text, found: readonly Range[]): number {
  const personal = spans.filter(({ type }) => type !== "IGNORE");
  const covered = sharedOf(personal, found);
  const taken = lengthOf(found) - sharedOf(spans, found);
  const all = lengthOf(personal) + taken;
  return all === 0 ? 1 : covered / all;
}

function sharedOf(some: readonly Range[], others: readonly Range[]): number {
  return some.reduce(
    (sum, one) =>
      sum +
      others.reduce(
        (own, other) => own + Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start)),
        0,
      ),
    0,
  );
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}
