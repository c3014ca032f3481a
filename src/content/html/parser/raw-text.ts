import { isNameAt, NAME_BREAK } from "./characters.ts";
import { tagId, tagNames } from "./tree.ts";

const PLAINTEXT = tagId("plaintext");
const SCRIPT = tagId("script");

/**
 * What decides where a script ends. A comment that ends where it starts, `<!-->` or `<!--->`, is none.
 */
// NOTE: with the flag u, a long s would pass for the s of "script".
const SCRIPT_MARKS = /<!--(?!-?>)|-->|<\/?script(?=[\t\n\f\r />])/gi;

type Place = "text" | "comment" | "inner script" | "end";

/**
 * From a place in a script's text, the place that a mark leads to; other marks change nothing. HTML standard, 13.2.5.4
 * and 13.2.5.18 to 31: "script data", "escaped" and "double escaped".
 */
const NEXT_PLACE: Readonly<Record<Place, Readonly<Record<string, Place>>>> = {
  text: { "<!--": "comment", "</script": "end" },
  comment: { "-->": "text", "<script": "inner script", "</script": "end" },
  "inner script": { "-->": "text", "</script": "comment" },
  end: {},
};

/** A stretch of the source to search. */
export interface Stretch {
  readonly from: number;
  readonly limit: number;
}

/** Offset of the end tag that ends a raw-text element; the limit when there is none before it. */
export function findRawTextEnd(source: string, tag: number, stretch: Stretch): number {
  if (tag === PLAINTEXT) return stretch.limit;
  const end = findEndTag(source, tagNames[tag] ?? "", stretch);
  return tag === SCRIPT ? findScriptEnd(source, end, stretch) : end;
}

/** Offset of the first end tag of a name in the stretch; the limit when there is none. */
function findEndTag(source: string, name: string, { from, limit }: Stretch): number {
  for (let at = source.indexOf("</", from); at >= 0 && at < limit; at = source.indexOf("</", at + 2)) {
    const after = at + 2 + name.length;
    if (
      after < source.length &&
      NAME_BREAK[source.charCodeAt(after)] === 1 &&
      isNameAt(source, at + 2, name)
    ) {
      return at;
    }
  }
  return limit;
}

/**
 * Scripts used to be put into a comment, which hid them from browsers without scripts. In it, the tags of a script that
 * this one writes are text.
 */
function findScriptEnd(source: string, firstEndTag: number, { from, limit }: Stretch): number {
  const comment = source.slice(from, firstEndTag).indexOf("<!--");
  if (comment < 0) return firstEndTag;
  const start = from + comment;
  let place: Place = "text";
  for (const { 0: mark, index } of source.slice(start, limit).matchAll(SCRIPT_MARKS)) {
    place = NEXT_PLACE[place][mark.toLowerCase()] ?? place;
    if (place === "end") return start + index;
  }
  return limit;
}

/** Offset after the comment whose text begins at `from`: after the first `-->` or `--!>`. */
export function endOfComment(source: string, from: number): number {
  for (let at = source.indexOf("--", from); at >= 0; at = source.indexOf("--", at + 1)) {
    if (source.startsWith(">", at + 2)) return at + 3;
    if (source.startsWith("!>", at + 2)) return at + 4;
  }
  return source.length;
}
