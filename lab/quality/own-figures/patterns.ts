import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createContext, Script } from "node:vm";

import { parse } from "acorn";
import { transformSync } from "esbuild";

const SOURCES = fileURLToPath(new URL("../../../packages/server/src/", import.meta.url));
/** The folders whose expressions read text of any length. */
const FOLDERS = ["judgement", "facts/structured", "facts/product", "facts/menu", "facts/branding"];

const TEXT_CHARACTERS = 1_000_000;
const MAX_MS = 10_000;
/** Slower ones are printed. */
const NOTABLE_MS = 1000;

/** What expressions are slow on: much of one thing that they nearly want. Pieces of an expression itself come on top. */
const PIECES = [
  "a",
  "A",
  "é",
  "1",
  " ",
  "\n",
  ".",
  "-",
  "_",
  "a ",
  "A ",
  "Aa ",
  "1 ",
  "0 1-",
  "a@",
  "a.",
  "A.A",
  "[",
  "](",
  "`",
  '"',
  "<a ",
  "a-",
  "&",
  "=",
  ":",
  "/",
  "\u200B",
  "%41",
  "van ",
];

/** Times every expression of these folders on 1 MB of each of its worst texts. */
export async function timePatterns(): Promise<boolean> {
  const patterns = [...new Map((await patternsOf(FOLDERS)).map((one) => [String(one), one])).values()];
  let slowest = { ms: 0, name: "" };
  let tooSlow = 0;
  for (const pattern of patterns) {
    const ms = Math.max(...[...PIECES, ...piecesOf(pattern.source)].map((piece) => timeOf(pattern, piece)));
    const name = String(pattern).slice(0, 100);
    if (ms > slowest.ms) slowest = { ms, name };
    if (ms > NOTABLE_MS) console.log(`${ms.toFixed(0)} ms  ${name}`);
    if (ms >= MAX_MS) tooSlow += 1;
  }
  console.log(
    `${patterns.length} expressions, 1 MB of each text; the slowest takes ${slowest.ms.toFixed(0)} ms`,
  );
  console.log(`${tooSlow} take ${MAX_MS / 1000} s or more`);
  return patterns.length > 0 && tooSlow === 0;
}

/** Words and signs that an expression names. */
function piecesOf(source: string): readonly string[] {
  return [...new Set(source.replace(/\\./g, " ").match(/[\p{L}\p{N}@:=/_-]{2,12} ?/gu) ?? [])].slice(0, 12);
}

function timeOf(pattern: RegExp, piece: string): number {
  const text = piece.repeat(Math.ceil(TEXT_CHARACTERS / piece.length));
  const context = createContext({
    text,
    pattern: asUsed(pattern),
  });
  const start = process.cpuUsage();
  try {
    new Script("text.replace(pattern, '')").runInContext(context, { timeout: MAX_MS });
  } catch {
    return MAX_MS;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Sticky ones are tried at single places, all others everywhere. */
function asUsed(pattern: RegExp): RegExp {
  return pattern.sticky ? pattern : new RegExp(pattern, `${pattern.flags.replace("g", "")}g`);
}

/** Those that are written in the sources, and those that the sources put together. */
async function patternsOf(folders: readonly string[]): Promise<readonly RegExp[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(SOURCES, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\.(?:test|suite)\.ts$/.test(name))
      .map((name) => join(SOURCES, folder, name)),
  );
  // Its expressions are not ours, and read what ours have found.
  await import("libphonenumber-js/min");
  const built: RegExp[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args: ConstructorParameters<typeof RegExp>) {
      const pattern = new target(...args);
      built.push(pattern);
      return pattern;
    },
  });
  try {
    for (const file of files) await import(pathToFileURL(file).href);
  } finally {
    globalThis.RegExp = Original;
  }
  return [...files.flatMap(literalsIn), ...built];
}

function literalsIn(file: string): readonly RegExp[] {
  const { code } = transformSync(readFileSync(file, "utf8"), { loader: "ts", target: "es2022" });
  const found: RegExp[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("regex" in node && "value" in node && node.value instanceof RegExp) found.push(node.value);
    else Object.values(node).forEach(visit);
  };
  visit(parse(code, { ecmaVersion: "latest", sourceType: "module" }));
  return found;
}
