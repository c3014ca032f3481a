import type { Span } from "./span.ts";

/** The end of a line or of a sentence, a German genitive, another name: no name continues behind them. */
const NAME_END = /\n|\p{L}{2}[.!?] |(?<!\bv[ao]n) de[rn] | y /u;

interface Ranked {
  readonly span: Span;
  readonly rank: number;
}

/** Names that overlap are one when they are of one kind: each method saw a part of it. Stronger ones still come first. */
export function joinNames(text: string, names: readonly Span[]): readonly Span[] {
  const ranked = names.map((span, rank) => ({ span, rank }));
  ranked.sort((a, b) => a.span.start - b.span.start || a.rank - b.rank);
  const joined: Ranked[] = [];
  const open = new Map<Span["entity"], number>();
  for (const next of ranked) {
    const at = open.get(next.span.entity);
    const whole = at === undefined ? undefined : joinedWith(joined[at], next, text);
    if (at !== undefined && whole) {
      joined[at] = whole;
      continue;
    }
    open.set(next.span.entity, joined.length);
    joined.push(next);
  }
  return joined.toSorted((a, b) => a.rank - b.rank).map(({ span }) => span);
}

/** Undefined when the second does not begin within the first, or what is between their ends is not a name. */
function joinedWith(first: Ranked | undefined, second: Ranked, text: string): Ranked | undefined {
  if (!first || second.span.start >= first.span.end) return undefined;
  const end = Math.max(first.span.end, second.span.end);
  const isLonger = end > first.span.end || second.span.end < end;
  if (isLonger && NAME_END.test(text.slice(first.span.start, end))) return undefined;
  return { span: { ...first.span, end }, rank: Math.min(first.rank, second.rank) };
}
