export interface Redaction {
  readonly mode: "accurate" | "aggressive" | "fast";
  /** Undefined means all kinds. */
  readonly entities?: readonly Entity[] | undefined;
  readonly replaceStyle: "tag" | "mask" | "remove";
  /** Texts that the request declares to be personal. */
  readonly also?: readonly KnownText[];
}

export type Entity = "PERSON" | "EMAIL" | "PHONE" | "LOCATION" | "FINANCIAL" | "SECRET";

/** A text that is personal data wherever it occurs. */
export interface KnownText {
  readonly text: string;
  readonly entity: Entity;
}

/** In UTF-16 units; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly entity: Entity;
}

/** Non-overlapping spans in order. Of two that overlap, the earlier in the list wins. */
export function withoutOverlaps(found: readonly Span[]): readonly Span[] {
  const ranked = found.map((span, rank) => ({ span, rank }));
  ranked.sort((a, b) => a.span.start - b.span.start || a.rank - b.rank);
  const settled: { span: Span; rank: number }[] = [];
  for (const next of ranked) {
    // A stronger span replaces all weaker ones that it overlaps.
    while (overlaps(settled.at(-1)?.span, next.span) && (settled.at(-1)?.rank ?? 0) > next.rank)
      settled.pop();
    if (!overlaps(settled.at(-1)?.span, next.span)) settled.push(next);
  }
  return settled.map(({ span }) => span);
}

function overlaps(earlier: Span | undefined, later: Span): boolean {
  return earlier !== undefined && later.start < earlier.end;
}
