import { type HtmlTree, TEXT, tagId } from "@pergamon-dev/html/parser/tree";
import { readLiteral } from "./literal.ts";
import { endOfQuoted, unquoted } from "./literal-scan.ts";
import { parseLooseJson } from "./loose-json.ts";

/** Total characters of the page's scripts; the rest is not read. */
const MAX_CHARACTERS = 8_000_000;
const SHORTEST = 30;
const MAX_LITERALS = 400;
/** Failed attempts read a range again. This limits the total, as a multiple of the script's length. */
const MAX_READINGS = 3;
const MAX_ATTRIBUTES = 200;

const SCRIPT = tagId("script");
/** State without prices does not describe products. */
const TELLING = /price|amount|offers/i;

/**
 * Values for the page's scripts, in document order: JSON scripts, literals in assignments and arguments,
 * JSON in quotes and in attributes. Only where a price is mentioned.
 */
export function readScriptValues(tree: HtmlTree): readonly unknown[] {
  const values: unknown[] = [];
  const flight: string[] = [];
  let left = MAX_CHARACTERS;
  for (let node = tree.tag.indexOf(SCRIPT); node >= 0; node = tree.tag.indexOf(SCRIPT, node + 1)) {
    const type = tree.attribute(node, "type") ?? "";
    if (/ld\+json/i.test(type) || tree.attribute(node, "src") !== undefined) continue;
    const text = tree.textContent(node);
    if (text.length < SHORTEST || text.length > left || !TELLING.test(text)) continue;
    left -= text.length;
    if (/json/i.test(type)) values.push(parseLooseJson(text));
    else values.push(...literalsIn(text, flight));
  }
  values.push(...flightValues(flight.join("")), ...attributeValues(tree));
  return values.filter((value) => typeof value === "object" && value !== null);
}

/** Literals in assignments and arguments. Pieces of a React stream are added to `flight`. */
function literalsIn(script: string, flight: string[]): readonly unknown[] {
  const found: unknown[] = [];
  const opening = /[[{]|JSON\.parse\(\s{0,9}["'`]/g;
  let left = script.length * MAX_READINGS;
  for (let match = opening.exec(script); match && found.length < MAX_LITERALS; match = opening.exec(script)) {
    const from = match.index;
    if (match[0].length > 1) {
      const end = endOfQuoted(script, opening.lastIndex - 1);
      if (end > 0) found.push(parseLooseJson(decoded(unquoted(script.slice(opening.lastIndex - 1, end)))));
      opening.lastIndex = Math.max(end, opening.lastIndex);
      continue;
    }
    if (!isValuePlace(script, from)) continue;
    const { value, end } = readLiteral(script, from);
    left -= end - from;
    if (left < 0) break;
    if (value === undefined || end - from < SHORTEST) continue;
    opening.lastIndex = end;
    if (isFlightPiece(value)) flight.push(value[1]);
    else found.push(value);
  }
  return found;
}

/** True if the bracket stands where a value may: after `=`, `(`, `:` or a comma. */
function isValuePlace(script: string, at: number): boolean {
  let before = at - 1;
  const first = Math.max(0, at - 20);
  while (before > first && /\s/.test(script.charAt(before))) before--;
  return "=(:,".includes(script.charAt(before)) && script.charAt(before) !== "";
}

function isFlightPiece(value: unknown): value is [number, string] {
  return Array.isArray(value) && value.length === 2 && value[0] === 1 && typeof value[1] === "string";
}

/** Values in the React Server Components stream: each line has an id, a colon and JSON. */
function flightValues(stream: string): readonly unknown[] {
  return stream.split("\n").flatMap((line) => {
    const start = /^[0-9a-f]{1,6}:(?=[[{])/.exec(line)?.[0].length;
    return start === undefined || !TELLING.test(line) ? [] : [parseLooseJson(line.slice(start))];
  });
}

/** JSON in attributes of elements, such as product forms. */
function attributeValues(tree: HtmlTree): readonly unknown[] {
  const values: unknown[] = [];
  for (let node = 1; node < tree.size && values.length < MAX_ATTRIBUTES; node++) {
    if (tree.tag[node] === TEXT) continue;
    for (const [name, value] of tree.attributes(node)) {
      if (value.length < SHORTEST || !/^\s{0,9}[[{]/.test(value) || name === "style") continue;
      if (TELLING.test(value)) values.push(parseLooseJson(value));
    }
  }
  return values;
}

function decoded(text: string): string {
  if (!/^%7B|^%5B/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
