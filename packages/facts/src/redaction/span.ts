/** What is looked for, how eagerly, and what takes its place. */
export interface Redaction {
  readonly mode: "accurate" | "aggressive" | "fast";
  /** Undefined: all kinds. */
  readonly entities?: readonly Entity[] | undefined;
  readonly replaceStyle: "tag" | "mask" | "remove";
  /** Texts that the request itself declares to be personal. */
  readonly also?: readonly KnownText[];
}

/** The kinds of personal data. */
export type Entity = "PERSON" | "EMAIL" | "PHONE" | "LOCATION" | "FINANCIAL" | "SECRET";

/** A text that is personal data wherever it stands. */
export interface KnownText {
  readonly text: string;
  readonly entity: Entity;
}

/** Where personal data is in a text: UTF-16 units, the end is behind it. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly entity: Entity;
}

/** Spans without overlap, in order. Of two that overlap the earlier one in the list stays. */
export function withoutOverlaps(found: readonly Span[]): readonly Span[] {
  const ranked = found.map((span, rank) => ({ span, rank }));
  ranked.sort((a, b) => a.span.start - b.span.start || a.rank - b.rank);
  const settled: { span: Span; rank: number }[] = [];
  for (const next of ranked) {
    // Stronger spans push weaker ones out, which can be several.
    while (overlaps(settled.at(-1)?.span, next.span) && (settled.at(-1)?.rank ?? 0) > next.rank)
      settled.pop();
    if (!overlaps(settled.at(-1)?.span, next.span)) settled.push(next);
  }
  return settled.map(({ span }) => span);
}

function overlaps(earlier: Span | undefined, later: Span): boolean {
  return earlier !== undefined && later.start < earlier.end;
}
