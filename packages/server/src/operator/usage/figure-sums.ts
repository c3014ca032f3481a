import { z } from "zod";

import type { FigureKind } from "../../accounts/work.ts";
import { durationMean, durationQuantile } from "../../history/figures/durations.ts";
import type { FigureRow } from "../../history/figures/figure-rows.ts";
import { type Span, spansMs } from "../../history/figures/figure-spans.ts";
import { Count } from "../../api/operator-fields.ts";

export const SpanFigures = z.strictObject({
  pages: Count,
  failed: Count,
  refused: Count,
  cacheHits: Count,
  credits: Count,
  p50Ms: Count.nullable(),
  p95Ms: Count.nullable(),
});

export type SpanFigures = z.output<typeof SpanFigures>;

export const figuresExample = {
  pages: 120,
  failed: 3,
  refused: 1,
  cacheHits: 40,
  credits: 130,
  p50Ms: 412,
  p95Ms: 3100,
};

export function sumFigures(rows: readonly FigureRow[]): SpanFigures {
  const all = rows.filter(({ kind }) => kind === "all");
  const durations = durationsOf(rows, "duration");
  return {
    pages: sum(all, "pages"),
    failed: pagesOf(rows, "failed"),
    refused: pagesOf(rows, "refused"),
    cacheHits: pagesOf(rows, "hit"),
    credits: sum(all, "credits"),
    p50Ms: durationQuantile(durations, 0.5) ?? null,
    p95Ms: durationQuantile(durations, 0.95) ?? null,
  };
}

/**
 * Requests answered from the cache, and the time that this saved. Without the cache these pages would have
 * taken as long, on average, as the fetched ones.
 */
export function savedByCache(rows: readonly FigureRow[]): {
  readonly hits: number;
  readonly savedMs: number;
} {
  const all = durationsOf(rows, "duration");
  const hits = durationsOf(rows, "hitDuration");
  const fetched = new Map([...all].map(([bucket, pages]) => [bucket, pages - (hits.get(bucket) ?? 0)]));
  const measured = [...hits.values()].reduce((total, pages) => total + pages, 0);
  const savedMs = measured * Math.max(0, durationMean(fetched) - durationMean(hits));
  return { hits: pagesOf(rows, "hit"), savedMs: Math.round(savedMs) };
}

function durationsOf(
  rows: readonly FigureRow[],
  wanted: "duration" | "hitDuration",
): ReadonlyMap<number, number> {
  const durations = new Map<number, number>();
  for (const { kind, name, pages } of rows) {
    if (kind === wanted) durations.set(Number(name), (durations.get(Number(name)) ?? 0) + pages);
  }
  return durations;
}

/** One entry for each time step from the first to the last, even when nothing was counted. */
export function seriesOf<Entry extends object>(
  rows: readonly FigureRow[],
  { span, fromMs, toMs }: { readonly span: Span; readonly fromMs: number; readonly toMs: number },
  entryOf: (rows: readonly FigureRow[]) => Entry,
): readonly (Entry & { readonly start: string })[] {
  const byStart = new Map<number, FigureRow[]>();
  for (const row of rows) byStart.set(row.startMs, [...(byStart.get(row.startMs) ?? []), row]);
  const count = Math.max(0, Math.ceil((toMs - fromMs) / spansMs[span]));
  return Array.from({ length: count }, (_, index) => {
    const startMs = fromMs + index * spansMs[span];
    return { start: new Date(startMs).toISOString(), ...entryOf(byStart.get(startMs) ?? []) };
  });
}

/** Counts by name, most frequent first. */
export function byName(rows: readonly FigureRow[], wanted: FigureKind) {
  const names = new Map<string, { pages: number; credits: number }>();
  for (const { kind, name, pages, credits } of rows) {
    if (kind !== wanted) continue;
    const known = names.get(name) ?? { pages: 0, credits: 0 };
    names.set(name, { pages: known.pages + pages, credits: known.credits + credits });
  }
  return [...names].map(([name, sums]) => ({ name, ...sums })).toSorted((a, b) => b.pages - a.pages);
}

/** Start of the time step that contains a time. */
export function startOf(timeMs: number, span: Span): number {
  return Math.floor(timeMs / spansMs[span]) * spansMs[span];
}

export function pagesOf(rows: readonly FigureRow[], kind: FigureKind): number {
  return sum(
    rows.filter((row) => row.kind === kind),
    "pages",
  );
}

function sum(rows: readonly FigureRow[], member: "pages" | "credits"): number {
  return rows.reduce((total, row) => total + row[member], 0);
}
