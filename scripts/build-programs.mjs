import { mkdirSync, readFileSync, rmSync, writeFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { buildSync } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCES = join(ROOT, "packages/browser/programs");
const TARGET = join(ROOT, "packages/browser/src/programs");

/**
 * File of `packages/browser/programs/` → the functions that are called where the program runs. Each becomes a constant of that name: text
 * of a function with all that it needs. A file without functions is run as a whole.
 */
const PROGRAMS = {
  brand: ["collectBrand"],
  consent: ["seesNotice", "removeNotices", "openMessageQueue", "nextMessages", "reply"],
  "consent-dialog": ["refuseDialog", "liesOver"],
  "element-actions": [
    "aim",
    "fill",
    "select",
    "innerText",
    "innerHTML",
    "textContent",
    "inputValue",
    "getAttribute",
    "isEnabled",
    "isChecked",
    "isVisible",
    "boundingBox",
    "focus",
    "scrollIntoViewIfNeeded",
  ],
  elements: ["findElements", "isSelector", "waitVisible", "aim", "clickByScript"],
  find: ["find", "findTexts", "findCount", "findFirst"],
  interpreter: ["prelude"],
  prompt: ["prepareTyping", "setValue", "selectOption", "readText"],
  readiness: ["startProbe"],
  screenshot: ["showAll", "placeFixedOnce", "restoreFixed", "fontsReady"],
  scrolling: ["scrollPage", "scrollElement"],
  snapshot: ["takeSnapshot"],
  storage: ["readStorage", "writeStorage"],
  "style-sheets": ["readLinkedRules"],
  "live-view": [],
  "agent-browser": [],
};

/** Programs in other languages: file → name of its constant. */
const TEXTS = { "page.py": "pythonProgram" };

/**
 * Writes `packages/browser/src/programs/`: what runs in pages, in boxes and in the interpreter, as text. The texts are committed, so that
 * tests, builds and boxes need no further step; `npm run check` proves that they are what `packages/browser/programs/` says.
 */
function main() {
  const files = { ...programFiles(), ...textFiles() };
  const isCheck = process.argv.includes("--check");
  const changed = Object.keys(files).filter((name) => read(name) !== files[name]);
  const unknown = listTarget().filter((name) => !(name in files));
  if (isCheck) return report([...changed, ...unknown]);
  mkdirSync(TARGET, { recursive: true });
  for (const name of changed) writeFileSync(join(TARGET, name), files[name]);
  for (const name of unknown) rmSync(join(TARGET, name));
}

function programFiles() {
  return Object.fromEntries(Object.keys(PROGRAMS).map((name) => [`${name}.ts`, constantsOf(name)]));
}

function constantsOf(name) {
  const names = PROGRAMS[name];
  const constants =
    names.length === 0
      ? [constant(camelCase(name), bundle(`import "./${name}.ts";`, { platform: platformOf(name) }))]
      : names.map((exported) => constant(exported, functionOf(name, exported)));
  return `// Made from packages/browser/programs/${name}.ts by \`npm run fix\`.\n${constants.join("")}`;
}

/** Text of a function that can be called in pages: whatever it is called with goes on. */
function functionOf(name, exported) {
  const code = bundle(`export { ${exported} as main } from "./${name}.ts";`, { globalName: "program" });
  return `function (...args) { ${code.trim()} return program.main(...args); }`;
}

function bundle(contents, { globalName, platform = "browser" }) {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: SOURCES, loader: "ts" },
    bundle: true,
    write: false,
    charset: "utf8",
    format: platform === "node" ? "cjs" : "iife",
    platform,
    target: platform === "node" ? "node20" : "es2022",
    minify: true,
    ...(globalName && { globalName }),
  });
  return outputFiles[0].text;
}

function platformOf(name) {
  return name === "agent-browser" ? "node" : "browser";
}

function textFiles() {
  const files = Object.entries(TEXTS).map(([file, name]) => {
    const text = constant(name, readFileSync(join(SOURCES, file), "utf8"));
    return [
      `${file.replace(/\.\w+$/, "")}.ts`,
      `// Made from packages/browser/programs/${file} by \`npm run fix\`.\n${text}`,
    ];
  });
  return Object.fromEntries(files);
}

function constant(name, text) {
  return `export const ${name} =\n  ${JSON.stringify(text)};\n`;
}

function camelCase(name) {
  return name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
}

function read(name) {
  try {
    return readFileSync(join(TARGET, name), "utf8");
  } catch {
    return undefined;
  }
}

function listTarget() {
  try {
    return readdirSync(TARGET).filter((name) => !name.endsWith(".test.ts"));
  } catch {
    return [];
  }
}

function report(stale) {
  if (stale.length === 0) return;
  console.log(
    `packages/browser/src/programs/ is not what packages/browser/programs/ says (${stale.join(", ")}): run \`npm run fix\`.`,
  );
  process.exitCode = 1;
}

main();
