import { detectors } from "./detectors.ts";
import { landmarks } from "./landmarks.ts";
import { realNames } from "./no-names.ts";
import { type Redaction, type Span, withoutOverlaps } from "./span.ts";
import { shippedTagger, type Tagger } from "./tagger/tagger.ts";
import { COUNTRY, FIRST_NAME, KNOWN_PLACE, type Lookup } from "./tagger/lexicon.ts";

/** Non-overlapping spans in text order. */
export function findPersonalData(
  text: string,
  mode: Redaction["mode"],
  tagger = shippedTagger(),
): readonly Span[] {
  const byForm = detectors.flatMap(({ find }) => find(text));
  const marks = landmarks(text);
  const listed = listedNames(text, tagger.lookup);
  const settled = (names: readonly Span[]) =>
    withoutOverlaps([...byForm, ...realNames(text, joinNames(text, names))]);
  if (mode === "fast") return settled([...marks, ...listed]);
  return settled([...marks, ...namesByTagger(text, tagger, RELUCTANCE[mode]), ...listed]);
}

/** Subtracted from the score for no name. `aggressive` finds more names, and more false ones. */
const RELUCTANCE: Readonly<Record<Exclude<Redaction["mode"], "fast">, number>> = {
  accurate: 0,
  aggressive: 40,
};

/** Names end before a line end, a sentence end, a German genitive and a second name. */
const NAME_END = /\n|\p{L}{2}[.!?] |(?<!\bv[ao]n) de[rn] | y /u;

interface Ranked {
  readonly span: Span;
  readonly rank: number;
}

/**
 * Joins overlapping names of the same kind, as each method may find only a part. The order of strength is
 * kept.
 */
function joinNames(text: string, names: readonly Span[]): readonly Span[] {
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

/**
 * Undefined if the second does not begin within the first, or if the text between their ends is not part of a
 * name.
 */
function joinedWith(first: Ranked | undefined, second: Ranked, text: string): Ranked | undefined {
  if (!first || second.span.start >= first.span.end) return undefined;
  const end = Math.max(first.span.end, second.span.end);
  const isLonger = end > first.span.end || second.span.end < end;
  if (isLonger && NAME_END.test(text.slice(first.span.start, end))) return undefined;
  return { span: { ...first.span, end }, rank: Math.min(first.rank, second.rank) };
}

/** Consecutive capitalised words, with particles between them. */
const CAPITALS =
  /(?<![\p{L}\p{M}\p{N}_])\p{Lu}[\p{L}\p{M}’]*(?:-\p{Lu}?[\p{L}\p{M}]+)*\.?(?: (?:(?:van|von|de|del|della|di|da|dos|der|den|la|le|ter|ten|zu|bin|ibn|al|of|do|y) ){0,2}\p{Lu}[\p{L}\p{M}’]*(?:-\p{Lu}?[\p{L}\p{M}]+)*\.?){0,7}/gu;

const MAX_WORDS_OF_PLACE = 4;

/** Names from lists: a first name before other capitalised words, countries, known towns. */
function listedNames(text: string, lookup: Lookup): readonly Span[] {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(CAPITALS)) {
    const words = [...run.matchAll(/[^ ]+/g)].map((match) => ({
      text: bare(match[0]),
      start: index + match.index,
    }));
    for (let at = 0; at < words.length;) {
      const length = lengthOfPlace(words, at, lookup);
      const person = length > 0 ? 0 : lengthOfPerson(words, at, lookup);
      const taken = length + person;
      if (taken > 0) spans.push(spanOf(words.slice(at, at + taken), length > 0 ? "LOCATION" : "PERSON"));
      at += Math.max(1, taken);
    }
  }
  return spans;
}

interface Word {
  readonly text: string;
  readonly start: number;
}

function lengthOfPlace(words: readonly Word[], at: number, lookup: Lookup): number {
  for (let length = Math.min(MAX_WORDS_OF_PLACE, words.length - at); length > 0; length--) {
    const joined = words
      .slice(at, at + length)
      .map(({ text }) => text.toLowerCase())
      .join(" ");
    if ((lookup(joined) & KNOWN_PLACE) > 0) return length;
  }
  return (lookup(words[at]?.text.toLowerCase() ?? "") & COUNTRY) > 0 ? 1 : 0;
}

/** Number of words from a first name to the last capitalised word; 0 if none follows. */
function lengthOfPerson(words: readonly Word[], at: number, lookup: Lookup): number {
  const first = words[at]?.text ?? "";
  if (!/^\p{Lu}.{2}/u.test(first) || (lookup(first.toLowerCase()) & FIRST_NAME) === 0) return 0;
  const end = words.findLastIndex(
    ({ text }, index) => index > at && index <= at + 4 && /^\p{Lu}\p{Ll}/u.test(text),
  );
  return end > at ? end - at + 1 : 0;
}

function spanOf(words: readonly Word[], entity: Span["entity"]): Span {
  const last = words.at(-1) as Word;
  return { start: (words[0] as Word).start, end: last.start + last.text.length, entity };
}

/** Removes a possessive apostrophe and a final full stop. */
function bare(word: string): string {
  return word.replace(/[’']s?$/, "").replace(/(?<=\p{L}{2})\.$/u, "");
}

/** Names of people and places. @param reluctance see `Tagger`. */
function namesByTagger(text: string, tagger: Tagger, reluctance: number): readonly Span[] {
  const found = tagger.namesIn(text, reluctance).flatMap(({ start, end, kind }): readonly Span[] => {
    if (kind === "ORG") return [];
    const name = trimmed(text, { start, end, entity: kind === "PER" ? "PERSON" : "LOCATION" }, tagger.lookup);
    return name ? [name] : [];
  });
  return [...found, ...partsOfNames(text, found, tagger.lookup)];
}

/** Trims words that cannot begin or end a name. Undefined if nothing is left. */
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

/** Characters on each side of a name. Longer lines are not sought through for each name in them. */
const MAX_BESIDE = 2000;

/** True if the line has no capitals near it, so that names are in lower case too. */
function isWithoutCapitals(text: string, { start, end }: Span): boolean {
  const before = text.slice(Math.max(0, start - MAX_BESIDE), start + 1);
  const [behind = ""] = text.slice(end, end + MAX_BESIDE).split("\n", 1);
  const line = before.slice(before.lastIndexOf("\n") + 1, -1) + text.slice(start, end) + behind;
  return !/\p{Lu}/u.test(line);
}

/** Dates look like names followed by something. */
const MONTH =
  /^(?:\d{1,2}\.? ?)?(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember)\b/i;

/** Particles that may begin a name. `von` is not included, as before a name it mostly means "of". */
const LEADING =
  /^(?:van|de|del|della|di|da|dos|al|el|bin|ibn|la|le|ter|ten|provincia|mer|lac|mont|río|isla|lago|monte)$/;

/** In characters. Shorter parts of a name would match anywhere. */
const SHORTEST_PART = 3;

/** If a full name was found, its parts elsewhere mean the same person. */
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
