import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { FLOORS, PURE, ROOMS, TOP_FILES } from "./floor-table.mjs";
import { codeOf } from "./source-text.mjs";

/** The only folder that reads the environment. */
const CONFIG = "config";

const IMPORTS = [
  /^[ \t]*(?:import|export)\b[^;"']*?\bfrom\s*["']([^"'\n]+)["']/gm,
  /^[ \t]*import\s*["']([^"'\n]+)["']/gm,
  /\bimport\s*\(\s*["']([^"'\n]+)["']/g,
];

/**
 * Finds imports that break the rule of the floors (up, to a sibling, in a circle), and reads of the environment.
 * @param {string} sourceFolder path of src/
 * @returns {string[]} one line per violation, `src/file:line text`
 */
export function findViolations(sourceFolder) {
  const files = readSources(sourceFolder);
  return [
    ...files.flatMap((file) => file.imports.flatMap((one) => importViolation(file.name, one))),
    ...files.flatMap(environmentReads),
    ...circles(files),
  ];
}

function readSources(sourceFolder) {
  const names = readdirSync(sourceFolder, { recursive: true })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts"))
    .sort((a, b) => (a < b ? -1 : 1));
  return names.map((name) => {
    const code = codeOf(readFileSync(join(sourceFolder, name), "utf8"));
    return { name, code, imports: importsOf(name, code) };
  });
}

/** Imports of own files, as paths relative to src/. */
function importsOf(name, code) {
  const found = IMPORTS.flatMap((pattern) => Array.from(code.matchAll(pattern)));
  return found
    .filter((match) => match[1].startsWith("."))
    .map((match) => ({
      target: posix.join(posix.dirname(name), match[1]),
      line: lineAt(code, match.index + match[0].length),
      isTypeOnly: /^\s*(?:import|export)\s+type\b/.test(match[0]),
    }))
    .sort((a, b) => a.line - b.line);
}

function importViolation(name, { target, line, isTypeOnly }) {
  const reason = whyForbidden(name, target, isTypeOnly);
  return reason ? [`src/${name}:${line} imports ${target} (${reason})`] : [];
}

function whyForbidden(name, target, isTypeOnly) {
  if (target.startsWith("../")) return outsideReason(name, target);
  if (isTest(target) && !isTest(name)) return "code must not import tests";
  const from = floorOf(name);
  const to = floorOf(target);
  if (from === undefined) return `folder ${folderOf(name)} has no floor in scripts/floor-table.mjs`;
  if (to === undefined) return `folder ${folderOf(target)} has no floor in scripts/floor-table.mjs`;
  if (folderOf(target) === CONFIG && folderOf(name) !== CONFIG) return configReason(name, isTypeOnly);
  if (isOwnFolder(name, target)) return reasonWithin(name, target);
  if (PURE.includes(folderOf(name)) && folderOf(target) === "platform" && !isTest(name))
    return `${folderOf(name)} is pure`;
  if (to < from) return undefined;
  return to === from ? `sibling on floor ${from}` : `floor ${from} imports floor ${to}`;
}

/** The same rule between the rooms of one folder. Tests may use all rooms of theirs. */
function reasonWithin(name, target) {
  const [fromRoom, toRoom] = [roomOf(name), roomOf(target)];
  if (fromRoom === toRoom || isTest(name)) return undefined;
  const folder = folderOf(name);
  const rooms = ROOMS[folder] ?? {};
  const missing = [fromRoom, toRoom].find((room) => rooms[room] === undefined);
  if (missing !== undefined) return `folder ${folder}/${missing} has no floor in scripts/floor-table.mjs`;
  const [from, to] = [rooms[fromRoom], rooms[toRoom]];
  if (to < from) return undefined;
  const places = `of ${folder}: ${fromRoom} imports ${toRoom}`;
  return to === from ? `sibling on floor ${from} ${places}` : `floor ${from} imports floor ${to} ${places}`;
}

/** The path of a file's folder within its top folder; "." for the top folder itself. */
function roomOf(name) {
  const within = name.slice(folderOf(name).length + 1);
  return posix.dirname(within);
}

/** Values of config/ are for the command line and the files above the floors. */
function configReason(name, isTypeOnly) {
  const mayUseValues = folderOf(name) === "cli" || name in TOP_FILES;
  return isTypeOnly || mayUseValues || isTest(name) ? undefined : "only its types may be used here";
}

function outsideReason(name, target) {
  if (target === "../package.json") return undefined;
  if (isTest(name) && target.startsWith("../test/")) return undefined;
  return "outside src";
}

function isOwnFolder(name, target) {
  return name.includes("/") && folderOf(name) === folderOf(target) && !(target in TOP_FILES);
}

function floorOf(name) {
  return TOP_FILES[name] ?? (name.includes("/") ? FLOORS[folderOf(name)] : topTestFloor(name));
}

/** A test beside app.ts stands where app.ts stands, and above it to import it. */
function topTestFloor(name) {
  return isTest(name) ? TOP_FILES["main.ts"] + 1 : undefined;
}

function folderOf(name) {
  return name.slice(0, Math.max(0, name.indexOf("/"))) || name;
}

function isTest(name) {
  return /\.(?:test|suite)\.ts$/.test(name);
}

function environmentReads({ name, code }) {
  if (folderOf(name) === CONFIG || isTest(name)) return [];
  return [...code.matchAll(/\bprocess\s*\.\s*env\b/g)].map(
    (match) => `src/${name}:${lineAt(code, match.index)} reads process.env (only config/ does)`,
  );
}

/** Every circle of imports, once, reported at the import that closes it. */
function circles(files) {
  const byName = new Map(files.map((file) => [file.name, file]));
  const finished = new Set();
  const found = [];
  const walk = (file, path) => {
    for (const { target, line } of file.imports) {
      const next = byName.get(target);
      const start = path.indexOf(target);
      if (start >= 0)
        found.push(`src/${file.name}:${line} imports ${target} (circle: ${circleText(path, start)})`);
      else if (next && !finished.has(target)) walk(next, [...path, target]);
    }
    finished.add(file.name);
  };
  for (const file of files) {
    if (!finished.has(file.name)) walk(file, [file.name]);
  }
  return found;
}

function circleText(path, start) {
  return [...path.slice(start), path[start]].join(" → ");
}

const lineAt = (code, index) => code.slice(0, index).split("\n").length;

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const violations = findViolations(
    process.argv[2] ?? fileURLToPath(new URL("../packages/server/src", import.meta.url)),
  );
  for (const violation of violations) console.error(violation);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
