import { jsonProblem } from "@pergamon-dev/kit/foreign/json-bounds";

/** In characters. 4 MB of JSON take about 40 ms. */
const MAX_LENGTH = 4_000_000;
/** Rejects deep nesting too, as consumers may recurse into values. */
const BOUNDS = { maxBytes: 3 * MAX_LENGTH, maxValues: MAX_LENGTH };

const OPENING = /^(?:\s|<!--|<!\[CDATA\[|\/\*{1,2}\s?<!\[CDATA\[\s?\*\/|\/\/\s?<!\[CDATA\[)+/;
const CLOSING = ["-->", "]]>", "/*", "*/", "//", ";"];

/**
 * Parses JSON as pages contain it: in comments, with a semicolon after it, with line breaks inside strings or
 * trailing commas. Undefined for invalid JSON, for more than 4,000,000 characters, and for values nested
 * deeper than 128 levels.
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
