/** Deeper bodies are refused: nothing the interface knows is nested so deep. */
const MAXIMUM_DEPTH = 128;

/** Members of all objects together. Each may become a validation issue of its own, at some 10 µs apiece. */
const MAXIMUM_MEMBERS = 10_000;

const QUOTE = 0x22;
const COLON = 0x3a;

/** Why a JSON text would cost too much to work on, if so. Broken JSON is measured as far as it can be read. */
export function jsonProblem(json: string): string | undefined {
  let depth = 0;
  let members = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charCodeAt(index);
    if (character === QUOTE) index = endOfString(json, index);
    else if (character === COLON) members += 1;
    else depth += depthChange(character);
    if (depth > MAXIMUM_DEPTH) return `The body is nested deeper than ${MAXIMUM_DEPTH} levels.`;
    if (members > MAXIMUM_MEMBERS) return `The body has more than ${MAXIMUM_MEMBERS} members.`;
  }
  return undefined;
}

/** Where the closing quote of the string that opens at `start` stands. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(json: string, index: number): boolean {
  let start = index;
  while (json[start - 1] === "\\") start -= 1;
  return (index - start) % 2 === 1;
}

function depthChange(character: number): number {
  if (character === 0x5b || character === 0x7b) return 1;
  return character === 0x5d || character === 0x7d ? -1 : 0;
}
