import { jsonProblem } from "@pergamon-dev/kit/foreign/json-bounds";

/** Longer texts are not read: 4 MB of JSON take some 40 ms. */
const MAX_LENGTH = 4_000_000;
/** Those that are nested too deep are not read either: whoever works on values may walk into them. */
const BOUNDS = { maxBytes: 3 * MAX_LENGTH, maxValues: MAX_LENGTH };

const OPENING = /^(?:\s|<!--|<!\[CDATA\[|\/\*{1,2}\s?<!\[CDATA\[\s?\*\/|\/\/\s?<!\[CDATA\[)+/;
const CLOSING = ["-->", "]]>", "/*", "*/", "//", ";"];

/**
 * Reads JSON as pages have it: in comments, with a semicolon after it, with line breaks inside of strings or commas
 * before a closing bracket. Undefined for what is not JSON even so, for more than 4,000,000 characters, and for
 * values that are nested deeper than 128 levels.
 */
export function parseLooseJson(text: string): unknown {
  if (text.length > MAX_LENGTH || jsonProblem(text, BOUNDS) !== undefined) return undefined;
  return parse(text) ?? parse(mended(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mended(text: string): string {
  let json = text.replace(OPENING, "").trimEnd();
  for (let closing = endingOf(json); closing !== undefined; closing = endingOf(json)) {
    json = json.slice(0, -closing.length).trimEnd();
  }
  return json.replace(/[\u0000-\u001f]/g, " ").replace(/,(?=\s{0,20}[}\]])/g, "");
}

function endingOf(text: string): string | undefined {
  return CLOSING.find((closing) => text.endsWith(closing));
}
