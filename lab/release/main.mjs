// Builds what a release consists of into release/, tries each part, and prints what was tried.
// Usage: npm run release -- --dry-run [--short] [--only program,html,documents,chart,bill,workflow,newcomer,image,odd,load,checksums]
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";

import { billOfMaterials, chart, checksums, workflow } from "./files.mjs";
import { image, smallMachines } from "./image.mjs";
import { oddContainers } from "./odd-containers.mjs";
import { newcomer } from "./newcomer.mjs";
import { library, program } from "./packages.mjs";
import { inMegabytes, ROOT, Skip } from "./tools.mjs";

/**
 * @typedef {{ out: string, work: string, isShort: boolean, note: (what: string, words: string) => void }} Release
 * `out` receives artefacts, `work` is removed at the end; `note` tells what was tried.
 */

const PARTS = {
  program: { title: "npm package", make: program },
  html: { title: "npm package html", make: (release) => library("html", release) },
  documents: { title: "npm package documents", make: (release) => library("documents", release) },
  chart: { title: "Helm chart", make: chart },
  bill: { title: "bill of materials", make: billOfMaterials },
  workflow: { title: "release workflow", make: workflow },
  newcomer: { title: "a newcomer's list", make: newcomer },
  image: { title: "container image", make: image },
  odd: { title: "containers that lack something", make: oddContainers },
  load: { title: "small machines", make: smallMachines },
  checksums: { title: "checksums", make: checksums },
};
const DEPLOY_PAGE = join(ROOT, "docs/deploy.md");
const { values } = parseArgs({
  options: { "dry-run": { type: "boolean" }, short: { type: "boolean" }, only: { type: "string" } },
});
if (!values["dry-run"]) {
  console.error("Nothing is published from here: push a tag, and .github/workflows/release.yml does. Use --dry-run to build and try.");
  process.exit(1);
}
const chosen = values.only?.split(",") ?? Object.keys(PARTS);
const out = join(ROOT, "release");
const work = mkdtempSync(join(tmpdir(), "pergamon-release-"));
const failures = [];
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const made = {};
try {
  for (const name of chosen) made[name] = await makePart(name);
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (made.program?.sizes) writeSizes(made.program.sizes);
if (made.load?.loads) writeLoads(made.load.loads);
if (made.image?.bytes)
  replaceOnPage("image", `Unpacked, the container image has about ${inMegabytes(made.image.bytes)}.`);
console.log(failures.length > 0 ? `\nFAILED: ${failures.join(", ")}` : "\nThe release is good.");
process.exitCode = failures.length > 0 ? 1 : 0;

async function makePart(name) {
  const { title, make } = PARTS[name];
  console.log(`\n${title}`);
  const note = (what, words) => console.log(`  ${what}: ${words}`);
  try {
    const result = await make({ out, work, isShort: values.short === true, note });
    const bytes = result.bytes ?? (existsSync(result.file) ? statSync(result.file).size : undefined);
    console.log(`  = ${relative(ROOT, join(ROOT, relative(ROOT, result.file)))}${bytes === undefined ? "" : `, ${inMegabytes(bytes)}`}`);
    return result;
  } catch (error) {
    if (error instanceof Skip) return void note("SKIPPED", error.message);
    failures.push(title);
    note("FAILED", error.message);
  }
}

function writeSizes({ packed, unpacked, installed, browser }) {
  const browserPart = `${inMegabytes(browser)} of them a browser`;
  replaceOnPage(
    "sizes",
    `The package has ${inMegabytes(packed)}, ${inMegabytes(unpacked)} unpacked. With everything that npm installs for it on
this kind of machine (${process.platform}-${process.arch}) the folder has about ${inMegabytes(installed)}, ${browserPart}.`,
  );
}

function writeLoads(loads) {
  const [{ model }] = cpus();
  replaceOnPage(
    "loads",
    `| Memory | Work | Memory used | Processor time a page |
|---|---|---|---|
${loads.map((row) => `| ${row.join(" | ")} |`).join("\n")}

Measured by \`pergamon doctor --load 15\` in a group of processes with that much memory, on ${cpus().length} processors (${model.trim()})
with Node ${process.versions.node}, with other work beside it.`,
  );
}

/** Replaces what stands between two comments of docs/deploy.md. */
function replaceOnPage(name, words) {
  const text = readFileSync(DEPLOY_PAGE, "utf8");
  const [start, end] = [`<!-- ${name}: written by npm run release -->\n`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${DEPLOY_PAGE} has no place for ${name}: ${start}${end}`);
  writeFileSync(DEPLOY_PAGE, `${text.slice(0, from + start.length)}\n${words}\n\n${text.slice(to)}`);
}
