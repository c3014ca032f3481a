import { type Lookup } from "./tagger/lexicon.ts";
import type { Tagger } from "./tagger/tagger.ts";
import type { Span } from "./span.ts";

/** Names of people and places. @param reluctance see `Tagger`. */
export function namesByTagger(text: string, tagger: Tagger, reluctance: number): readonly Span[] {
  const found = tagger.namesIn(text, reluctance).flatMap(({ start, end, kind }): readonly Span[] => {
    if (kind === "ORG") return [];
    const name = trimmed(text, { start, end, entity: kind === "PER" ? "PERSON" : "LOCATION" }, tagger.lookup);
    return name ? [name] : [];
  });
  return [...found, ...partsOfNames(text, found, tagger.lookup)];
}

/** Without what no name begins or ends with. Undefined when nothing of it is one. */
function trimmed(text: string, span: Span, lookup: Lookup): Span | undefined {
  const words = [...text.slice(span.start, span.end).matchAll(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu)];
  const mayBeLower = isWithoutCapitals(text, span);
  const isOwn = (word: string) => /^[\p{Lu}\p{Lo}]/u.test(word) || (mayBeLower && lookup(word) > 0);
  const first = words.find(({ 0: word }) => isOwn(word) || LEADING.test(word));
  const last = words.findLast(({ 0: word }) => isOwn(word));
  if (
    !first ||
    !last ||
    MONTH.test(text.slice(span.start, span.end)) ||
    !words.some(({ 0: word }) => isOwn(word))
  )
    return undefined;
  const tail =
    /^(?:\.|'s? [A-Z])/.exec(text.slice(span.start + last.index + last[0].length, span.end))?.[0].length ?? 0;
  const end = span.start + last.index + last[0].length + (last[0].length === 1 ? tail : 0);
  return { ...span, start: span.start + first.index, end };
}

/** Whether this line is written without capitals, so that names are in lower case, too. */
function isWithoutCapitals(text: string, { start, end }: Span): boolean {
  const behind = text.indexOf("\n", end);
  return !/\p{Lu}/u.test(text.slice(text.lastIndexOf("\n", start) + 1, behind < 0 ? text.length : behind));
}

/** Dates look like names of which something follows. */
const MONTH =
  /^(?:\d{1,2}\.? ?)?(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)\b/i;

/** Small words that names can begin with. `von` is none: before a name it mostly is "of". */
const LEADING =
  /^(?:van|de|del|della|di|da|dos|al|el|bin|ibn|la|le|ter|ten|provincia|mer|lac|mont|río|isla|lago|monte)$/;

/** A part of a name that is as short as this is found anywhere. */
const SHORTEST_PART = 3;

/** Who was named in full is also meant where only a part of the name stands. */
function partsOfNames(text: string, found: readonly Span[], lookup: Lookup): readonly Span[] {
  const parts = new Set<string>();
  for (const { start, end, entity } of found) {
    const words = entity === "PERSON" ? (text.slice(start, end).match(/\p{Lu}[\p{L}\p{M}-]+/gu) ?? []) : [];
    if (words.length < 2) continue;
    for (const word of words)
      if (word.length >= SHORTEST_PART && lookup(word.toLowerCase()) % 4 > 0) parts.add(word);
  }
  if (parts.size === 0) return [];
  const spans: Span[] = [];
  for (const { 0: word, index } of text.matchAll(/(?<![\p{L}\p{M}\p{N}])\p{Lu}[\p{L}\p{M}-]+/gu)) {
    if (parts.has(word)) spans.push({ start: index, end: index + word.length, entity: "PERSON" });
  }
  return spans;
}
