import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { prepare } from "../bin/prepare.mjs";
import { DEFAULT_FOLDER, prepareTool } from "./extraction-tool.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Sets beside the labelled pages that have a scoring program of their own, which asks a service. */
const OTHER_SETS = new Set(["answers", "json"]);
/** The name of that program in the folder of its set. */
const PROGRAM = "score.mjs";

/**
 * `npm run quality [-- folder options…]`: starts the built service and scores the Markdown it answers with over HTTP,
 * on the labelled pages in a folder. Options go to the scoring tool, such as `--only product --save`. The name of
 * another set, such as `answers`, or its folder, scores the formats that it is about.
 */
async function quality([first, ...others]) {
  const hasFolder = first !== undefined && !first.startsWith("-");
  const folder = hasFolder ? folderNamed(first) : DEFAULT_FOLDER;
  const program = join(folder, PROGRAM);
  if (existsSync(program)) return scoreService((url) => [program, "--scrape", url, ...others]);
  const options = hasFolder || first === undefined ? others : [first, ...others];
  const tool = prepareTool(folder);
  const results = join(ROOT, "node_modules/.cache/extraction-results");
  await scoreService((scrapeUrl, pid) => {
    const target = ["--scrape", scrapeUrl, "--pid", String(pid), "--name", "pergamon"];
    return [tool, ...target, "--data", join(folder, "data"), "--out", results, ...options];
  });
}

function folderNamed(name) {
  return OTHER_SETS.has(name) ? join(DEFAULT_FOLDER, "..", name) : resolve(name);
}

/** Runs a scoring program with the built service that it asks. */
async function scoreService(argumentsFor) {
  await prepare("all");
  const dataDir = mkdtempSync(join(tmpdir(), "pergamon-quality-"));
  const service = startService(dataDir);
  try {
    const url = await announcedUrl(service);
    await score(argumentsFor(`${url}/v2/scrape`, service.pid));
  } finally {
    service.kill("SIGTERM");
    if (service.exitCode === null) await once(service, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A service with an empty data folder, open to the pages that the tool serves on this machine. */
function startService(dataDir) {
  const settings = {
    DATA_DIR: dataDir,
    PORT: "0",
    EGRESS_ALLOW: "127.0.0.1",
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
