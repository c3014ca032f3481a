import { lazy } from "@pergamon-dev/kit/lazy";
import { readNumber } from "../extraction/read-number.ts";
import { isoDate, readDate } from "../extraction/read-date.ts";
import type { Span } from "../answers/sentences.ts";

/** Targets of links, whose words readers do not see, or one word. */
const WORD =
  /(\]\((?:[^()\s]|\([^()\s]*\)){0,4000}(?:\s+"[^"\n]*")?\))|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;
const NUMBER =
  /[-\u2212]?(?:\d[\d.,'’\u00a0\u202f]*)?\d(?:\s?(?:k|tsd|mn?|mio|bn?|mrd|\p{L}{5,12})(?![\p{L}\p{N}]))?/giu;
const YEAR = /(?:1[6-9]|20)\d\d/g;
const BEFORE_YEAR = 25;
const AFTER_YEAR = 20;
const MAX_PLACES = 500;
const MAX_NEEDLE = 400;
/** Words on each side of a place that tell it from others. */
const AROUND = 16;

/** A place in a text, with the index of its first word. */
export interface PlaceInText extends Span {
  readonly word: number;
}

/** A text in which values are looked for, by its words, numbers and dates, whatever the markup between them. */
export class PlacedText {
  readonly text: string;
  readonly #words: string[] = [];
  readonly #spans: Span[] = [];
  readonly #byWord = new Map<string, number[]>();
  readonly #known = new Map<unknown, readonly PlaceInText[]>();
  readonly #numbers = lazy(() => this.#index(NUMBER, (text) => [[readNumber(text), 0, text.length]]));
  readonly #dates = lazy(() => this.#index(YEAR, (_year, at) => this.#dateAround(at)));

  constructor(text: string) {
    this.text = text;
    for (const match of text.matchAll(WORD)) {
      if (match[1] !== undefined) continue;
      const word = match[0].normalize("NFKC").toLowerCase();
      const known = this.#byWord.get(word);
      if (known) known.push(this.#words.length);
      else this.#byWord.set(word, [this.#words.length]);
      this.#words.push(word);
      this.#spans.push({ start: match.index, end: match.index + match[0].length });
    }
  }

  /** Places that say a value: the words of a text, however a number or a day is written, an address as it is. */
  placesOf(value: unknown): readonly PlaceInText[] {
    const known = this.#known.get(value) ?? this.#find(value);
    this.#known.set(value, known);
    return known;
  }

  #find(value: unknown): readonly PlaceInText[] {
    if (typeof value === "number") return this.#numbers().get(value) ?? [];
    if (typeof value !== "string" || value === "") return [];
    if (/^(?:https?:\/\/|mailto:|tel:)\S+$/.test(value)) return this.#verbatim(value);
    const said = this.#saying(value);
    if (said.length > 0) return said;
    const dated = /^\d{4}(?:-\d\d){1,2}/.test(value) ? this.#dates().get(value.slice(0, 10)) : undefined;
    return dated ?? this.#verbatim(value);
  }

  /** How many words around a place are around a place of another text, too. Those next to it count most. */
  likeness(place: PlaceInText, other: PlacedText, otherPlace: PlaceInText): number {
    const [here, there] = [this.#around(place), other.#around(otherPlace)];
    let likeness = 0;
    for (const side of ["before", "after"] as const) {
      const [own, others] = [here[side], there[side]];
      const differs = own.findIndex((word, at) => word !== others[at]);
      const left = new Set(others);
      likeness += (differs < 0 ? own.length : differs) * 2 + own.filter((word) => left.delete(word)).length;
    }
    return likeness;
  }

  /** Whether one of these words stands shortly before a place. */
  isLabelled({ word }: PlaceInText, labels: readonly string[]): boolean {
    const before = this.#words.slice(Math.max(0, word - 6), word);
    return labels.some((label) => before.some((one) => one === label || one === `${label}s`));
  }

  /** The place from one offset to another; undefined without words. */
  between(start: number, end: number): PlaceInText | undefined {
    const first = this.wordAt(start);
    const last = this.wordAt(end) - 1;
    const [from, to] = [this.#spans[first], this.#spans[last]];
    return from && to && last >= first ? { start: from.start, end: to.end, word: first } : undefined;
  }

  /** Index of the first word that begins at or after an offset. */
  wordAt(offset: number): number {
    let [low, high] = [0, this.#spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#spans[middle]?.start ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #around({ word, end }: PlaceInText) {
    const after = this.wordAt(end);
    return {
      before: this.#words.slice(Math.max(0, word - AROUND), word).toReversed(),
      after: this.#words.slice(after, after + AROUND),
    };
  }

  #saying(value: string): readonly PlaceInText[] {
    const needle = Array.from(value.matchAll(WORD), ([word]) => word.normalize("NFKC").toLowerCase());
    const [first] = needle;
    if (first === undefined) return [];
    const wanted = needle.slice(0, MAX_NEEDLE);
    const [, lead = "", tail = ""] =
      /^([^\p{L}\p{M}\p{N}\n]{0,10}).*?([^\p{L}\p{M}\p{N}\n]{0,10})$/su.exec(value) ?? [];
    const places: PlaceInText[] = [];
    for (const at of this.#byWord.get(first) ?? []) {
      if (places.length >= MAX_PLACES) break;
      if (!wanted.every((word, index) => this.#words[at + index] === word)) continue;
      const last = this.#spans[Math.min(at + needle.length, this.#spans.length) - 1];
      const start = this.#spans[at]?.start ?? 0;
      const end = last?.end ?? start;
      // Signs around the words belong to the value where they stand there, too.
      const from = this.text.endsWith(lead, start) ? start - lead.length : start;
      const to = this.text.startsWith(tail, end) ? end + tail.length : end;
      places.push({ start: from, end: to, word: at });
    }
    return places;
  }

  #verbatim(value: string): readonly PlaceInText[] {
    const places: PlaceInText[] = [];
    for (let at = this.text.indexOf(value); at >= 0 && places.length < MAX_PLACES;) {
      const end = at + value.length;
      if (!/^[\w/]/.test(this.text.slice(end, end + 1)) || !/[\w/]$/.test(value))
        places.push({ start: at, end, word: this.wordAt(at) });
      at = this.text.indexOf(value, end);
    }
    return places;
  }

  #dateAround(at: number): readonly (readonly [key: unknown, start: number, end: number])[] {
    const start = Math.max(0, at - BEFORE_YEAR);
    const window = this.text.slice(start, at + AFTER_YEAR);
    return [false, true].flatMap((isMonthFirst) => {
      const date = readDate(window, isMonthFirst);
      if (!date) return [];
      const from = start + window.indexOf(date.text) - at;
      return [[isoDate(date), from, from + date.text.length] as const];
    });
  }

  /** Places by what they say. `read` gives keys with offsets from the beginning of a match. */
  #index(
    pattern: RegExp,
    read: (text: string, at: number) => readonly (readonly [key: unknown, start: number, end: number])[],
  ): ReadonlyMap<unknown, readonly PlaceInText[]> {
    const places = new Map<unknown, PlaceInText[]>();
    for (const match of this.text.matchAll(pattern)) {
      for (const [key, from, to] of read(match[0], match.index)) {
        const place = {
          start: match.index + from,
          end: match.index + to,
          word: this.wordAt(match.index + from),
        };
        const known = places.get(key);
        if (!known) places.set(key, [place]);
        else if (known.length < MAX_PLACES && known.at(-1)?.start !== place.start) known.push(place);
      }
    }
    return places;
  }
}
