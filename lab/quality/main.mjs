import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { labData, MissingSet, needSet } from "../sets.ts";
import { prepareTool } from "./extraction-tool.mjs";
import { scoreFacts } from "./facts.mjs";
import { scoreOwnPages } from "./own-pages.ts";
import { besidePeers } from "./peers.mjs";
import { scoreSearch } from "./search.mjs";
import { scoreSummaries } from "./summary.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a program of the laboratory on the sources of the packages. */
const TSX = [join(ROOT, "node_modules/tsx/dist/cli.mjs"), "-C", "pergamon-source"];

/** Sets with pages of their own → what their tool is always told. */
const FORMATS = new Map([
  ["product", []],
  ["menu", []],
  ["branding", []],
  ["answers", []],
  ["json", []],
  ["pii", ["--mode", "accurate"]],
]);

/** What is measured from the sources, without a service. */
const OWN_FIGURES = new Set(["evidence", "chunks", "histories", "injection", "changes", "patterns", "words"]);
const OTHERS = ["targets", "markdown", "page-data", "documents"];

/** What is scored here, on our own pages or on the labelled pages of other sets. */
const OWN_SCORES = new Map([
  ["pages", (scrape) => printOwnPages(scrape)],
  [
    "--facts",
    (scrape) => scoreFacts(scrape, { product: needSet("product"), extraction: needSet("extraction") }),
  ],
  ["summary", (scrape) => scoreSummaries(scrape, needSet("extraction"))],
  ["search", (scrape) => scoreSearch(scrape, needSet("extraction"))],
]);

/**
 * `npm run quality`: starts the built service and prints each figure that has a target, beside it and the best peers,
 * met or missed; the same as `npm run quality -- targets [--data folder of folders] [--only part,part]`.
 * `npm run quality -- markdown [folder options…]` scores the Markdown it answers with over HTTP, on the labelled pages in
 * a folder. `npm run quality -- product [--data folder] [options…]` scores a format instead,
 * `npm run quality -- documents [--data folder] [--out file] [options…]` documents and the laws of their blocks, beside peers, and
 * `npm run quality -- page-data [--data folder of folders]` all formats of page data in one table beside targets and peers,
 * `npm run quality -- injection`, `changes` and `patterns` need no pages of others;
 * `npm run quality -- evidence [--data folder] [--verbose]` judges the places that citations name, of rules and of models,
 * `npm run quality -- chunks [--data folder] [--verbose]` the chunks of labelled pages, `npm run quality -- histories` alarms of monitors;
 * `npm run quality -- words [--data folder] [--only set] [--verbose]` counts words that documents and pages lose;
 * `npm run quality -- summary` scores summaries by the descriptions of labelled articles;
 * `npm run quality -- search` looks for labelled pages by their titles and sentences;
 * `npm run quality -- --facts` counts prices and languages of code that the Markdown keeps. Options go to the scoring tool, such as
 * `--only product --save`, `--misses`, or `--groups layout,tables --verbose`.
 */
async function quality(words) {
  const [name = "targets", ...options] = words;
  if (OWN_FIGURES.has(name)) return printOwnFigures(words);
  const names = [...OTHERS, ...FORMATS.keys(), ...OWN_SCORES.keys()];
  if (!names.includes(name)) throw new Error(`Use one of: ${[...names, ...OWN_FIGURES].join(", ")}.`);
  const own = OWN_SCORES.get(name);
  const dataDir = mkdtempSync(join(tmpdir(), "pergamon-quality-"));
  const service = startService(dataDir);
  try {
    const url = await announcedUrl(service);
    const scrape = `${url}/v2/scrape`;
    const target = { scrape, pid: String(service.pid), dataDir };
    const run = async () => {
      if (own) return own(scrape);
      return name === "documents" ? scoreDocuments(options, target) : score(toolOf(name, options)(target));
    };
    await run().catch((error) => {
      if (!(error instanceof MissingSet)) throw error;
      console.log(`${error.message}\n\nInstead, on the pages of our own (lab/pages/):`);
      return printOwnPages(scrape, name);
    });
  } finally {
    service.kill("SIGTERM");
    if (service.exitCode === null) await once(service, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Without a name all checks and the Markdown. */
async function printOwnPages(scrape, name) {
  for (const [figure, value] of await scoreOwnPages(scrape, name)) console.log(`${figure} ${value.toFixed(3)}`);
}

async function printOwnFigures(words) {
  await score([...TSX, join(ROOT, "lab/quality/own-figures/main.ts"), ...words]);
}

function toolOf(name, options) {
  if (name === "markdown") return extractionTool(options);
  if (name === "page-data") return pageDataTool(options);
  if (name === "targets") return pageDataTool([...options, "--all"]);
  return formatTool(name, options);
}

/** Scores documents, those that lie with the tool or those of the folder that `--data` names, beside their peers. */
async function scoreDocuments(options, { scrape, pid, dataDir }) {
  const { path: folder, others } = takeOption(options, "--data");
  const { path: wanted, others: rest } = takeOption(others, "--out");
  const own = join(folder ?? "", "tool/run.mjs");
  const hasTool = folder !== undefined && existsSync(own);
  const tool = hasTool ? own : join(needSet("documents"), "tool/run.mjs");
  if (!existsSync(tool)) throw new Error(`No scoring tool at ${tool}. Name its folder with --data.`);
  const set = folder === undefined || hasTool ? [] : ["--data", folder];
  const results = fileOf(wanted ?? join(dataDir, "results"));
  const target = ["--scrape", scrape, "--pid", pid, "--name", "pergamon", "--out", results];
  await score([tool, ...target, ...set, ...rest]);
  const { summary } = JSON.parse(readFileSync(results, "utf8"));
  console.log(`\n${besidePeers(summary, join(dirname(tool), "../README.md"))}`);
}

/** Where the tool puts figures that are to go to a place: into that file, or into a file of that folder. */
function fileOf(place) {
  return extname(place) === "" ? join(place, "pergamon.json") : place;
}

/** How all formats of page data are scored together, on the sets that lie with their tools or on those of another folder. */
function pageDataTool(options) {
  const { path: folder, others } = takeOption(options, "--data");
  const set = folder === undefined ? [] : ["--data", folder];
  return ({ scrape, pid }) => [
    ...TSX,
    join(ROOT, "lab/quality/page-data/main.ts"),
    "--scrape",
    scrape,
    "--pid",
    pid,
    "--tools",
    labData(),
    ...set,
    ...others,
  ];
}

/** How the Markdown is scored. */
function extractionTool([first, ...others]) {
  const hasFolder = first !== undefined && !first.startsWith("-");
  const folder = hasFolder ? resolve(first) : needSet("extraction");
  const options = hasFolder || first === undefined ? others : [first, ...others];
  const tool = prepareTool(folder);
  const results = join(ROOT, "node_modules/.cache/extraction-results");
  return ({ scrape, pid }) => {
    const target = ["--scrape", scrape, "--pid", pid, "--name", "pergamon"];
    return [tool, ...target, "--data", join(folder, "data"), "--out", results, ...options];
  };
}

/** How a format is scored: on the pages that lie with the tool, or on those of another folder. */
function formatTool(name, options) {
  const { path: folder, others } = takeOption(options, "--data");
  const hasTool = folder !== undefined && existsSync(join(folder, "score.mjs"));
  const tool = join(hasTool ? folder : needSet(name), "score.mjs");
  if (!existsSync(tool)) throw new Error(`No scoring tool at ${tool}. Name its folder with --data.`);
  const set = folder === undefined || hasTool ? [] : ["--set", folder];
  return ({ scrape }) => [tool, "--scrape", scrape, ...FORMATS.get(name), ...set, ...others];
}

/** The folder or file that an option names, if any, and the other options. */
function takeOption(options, name) {
  const at = options.indexOf(name);
  if (at < 0) return { path: undefined, others: options };
  return { path: resolve(options[at + 1] ?? ""), others: options.toSpliced(at, 2) };
}

/** A service with an empty data folder, open to the pages that the tool serves on this machine. */
function startService(dataDir) {
  const settings = {
    DATA_DIR: dataDir,
    PORT: "0",
    EGRESS_ALLOW: "127.0.0.0/8",
    LOG_LEVEL: "warn",
    LOG_FORMAT: "json",
  };
  return spawn(process.execPath, [join(ROOT, "dist/main.js")], {
    env: { ...process.env, NODE_ENV: "production", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function announcedUrl(service) {
  let output = "";
  for await (const chunk of service.stdout) {
    output += String(chunk);
    const url = /listening on (http:\S+)/.exec(output)?.[1];
    if (url === undefined) continue;
    service.stdout.resume();
    return url;
  }
  throw new Error(`The service ended before it listened. It printed: ${output}`);
}

async function score(args) {
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The scoring tool ended with code ${code}.`);
}

try {
  await quality(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
