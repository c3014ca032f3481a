import { stemOf, wordsOf } from "./words.ts";

/** The part of a text that has most words of a query, as it stands there, cut between words where there are spaces. */
export function excerpt(text: string, query: string, length: number): string {
  if (text.length <= length) return text;
  const start = bestStart(text, query, length);
  const end = Math.min(text.length, start + length);
  return betweenSpaces(text, start, end).trim();
}

/** Where the window begins that holds most words of the query. */
function bestStart(text: string, query: string, length: number): number {
  const places = placesOf(text, query);
  const last = text.length - length;
  const starts = [0, ...places.map((place) => Math.min(last, Math.max(0, place - Math.floor(length / 4))))];
  const countFrom = (start: number) =>
    places.filter((place) => place >= start && place < start + length).length;
  return starts.reduce((best, start) => (countFrom(start) > countFrom(best) ? start : best), 0);
}

/** Where words begin whose stems the query has. */
function placesOf(text: string, query: string): readonly number[] {
  const stems = new Set(wordsOf(query).map(stemOf));
  const words = text.matchAll(/[\p{L}\p{M}\p{N}]+/gu);
  return [...words]
    .filter(([word]) => wordsOf(word).some((part) => stems.has(stemOf(part))))
    .map(({ index }) => index);
}

function betweenSpaces(text: string, start: number, end: number): string {
  const first = start === 0 ? 0 : text.indexOf(" ", start - 1) + 1;
  const last = end === text.length ? end : text.lastIndexOf(" ", end);
  return last > first && first < start + (end - start) / 2 ? text.slice(first, last) : text.slice(start, end);
}
