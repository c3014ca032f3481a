import { ownProperty } from "@pergamon-dev/kit/own-property";
import { isNameAt, NAME_BREAK } from "./characters.ts";
import { tagId, tagNames } from "./tree.ts";

const BANG = 33;
const SLASH = 47;

const PLAINTEXT = tagId("plaintext");
const SCRIPT = tagId("script");

/**
 * Marks that decide where a script ends. A comment that ends where it starts, `<!-->` or `<!--->`, does not
 * count.
 */
// NOTE: with the flag u, a long s would match the s of "script".
const SCRIPT_MARKS = /<!--(?!-?>)|-->|<\/?script(?=[\t\n\f\r />])/gi;

type Place = "text" | "comment" | "inner script" | "end";

/**
 * The next state for each state and mark; other marks change nothing. HTML standard, 13.2.5.4 and 13.2.5.18
 * to 31: "script data", "escaped" and "double escaped".
 */
const NEXT_PLACE: Readonly<Record<Place, Readonly<Record<string, Place>>>> = {
  text: { "<!--": "comment", "</script": "end" },
  comment: { "-->": "text", "<script": "inner script", "</script": "end" },
  "inner script": { "-->": "text", "</script": "comment" },
  end: {},
};

/** The part of the source to search. */
interface Stretch {
  readonly from: number;
  readonly limit: number;
}

/** Offset of the end tag that ends a raw-text element; `limit` when there is none before it. */
export function findRawTextEnd(source: string, tag: number, stretch: Stretch): number {
  if (tag === PLAINTEXT) return stretch.limit;
  if (tag === SCRIPT) return findScriptEnd(source, stretch);
  const name = tagNames[tag] ?? "";
  const { from, limit } = stretch;
  for (let at = source.indexOf("</", from); at >= 0 && at < limit; at = source.indexOf("</", at + 2)) {
    if (isNamed(source, at + 2, name)) return at;
  }
  return limit;
}

/**
 * Scripts used to be put into a comment, which hid them from browsers without scripts. Inside it, the script
 * tags that the script itself writes are text.
 */
function findScriptEnd(source: string, { from, limit }: Stretch): number {
  for (let at = source.indexOf("<", from); at >= 0 && at < limit; at = source.indexOf("<", at + 1)) {
    const code = source.charCodeAt(at + 1);
    if (code === SLASH && isNamed(source, at + 2, "script")) return at;
    if (code === BANG && source.startsWith("--", at + 2)) return findHiddenEnd(source, { from: at, limit });
  }
  return limit;
}

function findHiddenEnd(source: string, { from, limit }: Stretch): number {
  let place: Place = "text";
  for (const { 0: mark, index } of source.slice(from, limit).matchAll(SCRIPT_MARKS)) {
    place = ownProperty(NEXT_PLACE[place], mark.toLowerCase()) ?? place;
    if (place === "end") return from + index;
  }
  return limit;
}

/** Whether a tag name is at an offset and ends after it. */
function isNamed(source: string, nameStart: number, name: string): boolean {
  const end = nameStart + name.length;
  return end < source.length && NAME_BREAK[source.charCodeAt(end)] === 1 && isNameAt(source, nameStart, name);
}

/** Offset after the comment whose text begins at `from`: after the first `-->` or `--!>`. */
export function endOfComment(source: string, from: number): number {
  for (let at = source.indexOf("--", from); at >= 0; at = source.indexOf("--", at + 1)) {
    if (source.startsWith(">", at + 2)) return at + 3;
    if (source.startsWith("!>", at + 2)) return at + 4;
  }
  return source.length;
}
