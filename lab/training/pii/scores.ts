import type { Span } from "../../../packages/facts/src/redaction/span.ts";
import type { Labelled } from "./train.ts";

interface Found {
  readonly row: Labelled;
  readonly spans: readonly Span[];
}

const overlap = (a: { start: number; end: number }, b: { start: number; end: number }) =>
  Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));

/** Prints F1 per kind, and the shares of characters that leaked and that were taken away for nothing. */
export function printScores(name: string, found: readonly Found[]): void {
  console.log(
    `${name}: ${found.length} texts, leaked ${share(found.map(leaked))} %, over-redacted ${share(found.map(overRedacted))} %`,
  );
  for (const entity of ["PERSON", "LOCATION", "PHONE", "EMAIL", "FINANCIAL", "SECRET"]) {
    const languages = [...new Set(found.map(({ row }) => row.lang))];
    const byLanguage = languages.map(
      (language) =>
        `${language} ${f1(
          found.filter(({ row }) => row.lang === language),
          entity,
        )}`,
    );
    console.log(
      `  ${entity.padEnd(10)} ${f1(found, entity)}  ${languages.length > 1 ? byLanguage.join(" ") : ""}`,
    );
  }
}

function f1(found: readonly Found[], entity: string): string {
  let [hits, missed, wrong] = [0, 0, 0];
  for (const { row, spans } of found) {
    const own = spans.filter((span) => span.entity === entity);
    for (const real of row.spans.filter(({ type }) => type === entity)) {
      const covered = own.reduce((sum, span) => sum + overlap(span, real), 0);
      if (covered >= 0.8 * (real.end - real.start)) hits += 1;
      else missed += 1;
    }
    const right = row.spans.filter(({ type }) => type === entity || type === "IGNORE");
    wrong += own.filter(
      (span) => right.reduce((sum, real) => sum + overlap(span, real), 0) < 0.5 * (span.end - span.start),
    ).length;
  }
  return hits + missed === 0 ? "–" : ((2 * hits) / (2 * hits + missed + wrong)).toFixed(3);
}

function leaked({ row, spans }: Found): readonly [number, number] {
  const real = row.spans.filter(({ type }) => type !== "IGNORE");
  const length = real.reduce((sum, { start, end }) => sum + end - start, 0);
  return [
    real.reduce(
      (sum, one) =>
        sum + one.end - one.start - spans.reduce((covered, span) => covered + overlap(span, one), 0),
      0,
    ),
    length,
  ];
}

function overRedacted({ row, spans }: Found): readonly [number, number] {
  const labelled = row.spans.reduce((sum, { start, end }) => sum + end - start, 0);
  const taken = spans.reduce(
    (sum, span) =>
      sum +
      Math.max(
        0,
        span.end - span.start - row.spans.reduce((covered, one) => covered + overlap(span, one), 0),
      ),
    0,
  );
  return [taken, row.text.length - labelled];
}

function share(parts: readonly (readonly [number, number])[]): string {
  const [part, whole] = parts.reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
  return ((100 * part) / (whole || 1)).toFixed(2);
}
