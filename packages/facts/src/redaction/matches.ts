import type { Entity, Span } from "./span.ts";

interface Matching {
  readonly pattern: RegExp;
  readonly entity: Entity;
  /** Validates a match. Default: accepts all. */
  readonly accepts?: (value: string, match: RegExpExecArray) => boolean;
}

/**
 * Spans of all matches of a global pattern. If the pattern has a group named `value`, the span is that group.
 */
export function matchesOf(
  text: string,
  { pattern, entity, accepts = () => true }: Matching,
): readonly Span[] {
  const spans: Span[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = match.groups?.["value"] ?? match[0];
    if (!accepts(value, match)) continue;
    const start = match.index + match[0].lastIndexOf(value);
    spans.push({ start, end: start + value.length, entity });
  }
  return spans;
}
