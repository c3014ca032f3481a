import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { prepare } from "../bin/prepare.mjs";
import { DEFAULT_FOLDER, prepareTool } from "./extraction-tool.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * `npm run quality [-- folder options…]`: starts the built service and scores the Markdown it answers with over HTTP,
 * on the labelled pages in a folder. Options go to the scoring tool, such as `--only product --save`.
 */
async function quality([first, ...others]) {
  if (first === "pii") return redactionQuality(others);
  const hasFolder = first !== undefined && !first.startsWith("-");
  const folder = hasFolder ? resolve(first) : DEFAULT_FOLDER;
  const options = hasFolder || first === undefined ? others : [first, ...others];
  await prepare("all");
  const tool = prepareTool(folder);
  await withService(({ url, pid }) => {
    const results = join(ROOT, "node_modules/.cache/extraction-results");
    const target = ["--scrape", `${url}/v2/scrape`, "--pid", String(pid), "--name", "pergamon"];
    return score([tool, ...target, "--data", join(folder, "data"), "--out", results, ...options]);
  });
}

/** Starts a service for as long as the work takes. */
async function withService(work) {
  const dataDir = mkdtempSync(join(tmpdir(), "pergamon-quality-"));
  const service = startService(dataDir);
  try {
    await work({ url: await announcedUrl(service), pid: service.pid });
  } finally {
    service.kill("SIGTERM");
    if (service.exitCode === null) await once(service, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/**
 * `npm run quality -- pii [--data folder] [options…]`: scores what `redactPII` finds on labelled texts. `--data` is a
 * folder with other texts, for the same tool.
 */
async function redactionQuality(args) {
  const at = args.indexOf("--data");
  const set = at < 0 ? [] : ["--set", resolve(args[at + 1] ?? ".")];
  const options = at < 0 ? args : args.toSpliced(at, 2);
  await prepare("all");
  await withService(({ url }) => {
    const target = ["--scrape", `${url}/v2/scrape`, "--mode", "accurate"];
    return score([join(ROOT, "../shared/quality/pii/score.mjs"), ...target, ...set, ...options]);
  });
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
