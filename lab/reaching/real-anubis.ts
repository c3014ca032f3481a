import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

import { build } from "esbuild";

import { freePort } from "../bench/free-port.ts";
import { INSIDE } from "./challenge-sites.ts";

const VERSION = "v1.27.0";
const MODULE = "github.com/TecharoHQ/anubis";
const BUILD_LIMIT_MS = 60 * 60 * 1000;
const POLL_MS = 100;
const POLLS = 100;

/** How Anubis is set: its default policy, or one challenge for everybody. */
const SETTINGS = [
  { name: "its default" },
  { name: "fast 4", algorithm: "fast", difficulty: 4 },
  { name: "metarefresh 1", algorithm: "metarefresh", difficulty: 1 },
  { name: "preact 4", algorithm: "preact", difficulty: 4 },
] as const;

/**
 * Calls with the address of a page behind the real Anubis, for each setting. Does so where `ANUBIS` names its
 * program, or is `build` and Go is installed.
 */
export async function realAnubis(check: (url: string, name: string) => Promise<void>): Promise<void> {
  const asked = process.env["ANUBIS"];
  if (!asked) return console.log("Real Anubis is left out: set ANUBIS to its program, or to build.");
  const program = asked === "build" ? await buildAnubis() : asked;
  const target = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end(`<h1>Inside</h1><p>${`${INSIDE} `.repeat(9)}</p>`);
  }).listen(0, "127.0.0.1");
  const folder = await mkdtemp(join(tmpdir(), "anubis-"));
  try {
    for (const settings of SETTINGS) {
      const { port } = target.address() as AddressInfo;
      const anubis = await start(program, { folder, targetPort: port, settings });
      try {
        await check(`${anubis.url}/page`, settings.name);
      } finally {
        anubis.child.kill();
      }
    }
  } finally {
    target.close();
    await rm(folder, { recursive: true });
  }
}

interface Order {
  readonly folder: string;
  readonly targetPort: number;
  readonly settings: (typeof SETTINGS)[number];
}

async function start(
  program: string,
  { folder, targetPort, settings }: Order,
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const [port, metrics] = [await freePort(), await freePort()];
  const policy = join(folder, "policy.yaml");
  if ("algorithm" in settings) {
    const { algorithm, difficulty } = settings;
    const challenge = `    challenge: {difficulty: ${difficulty}, algorithm: ${algorithm}}\n`;
    await writeFile(
      policy,
      `bots:\n  - name: everybody\n    path_regex: .*\n    action: CHALLENGE\n${challenge}`,
    );
  }
  const child = spawn(program, {
    stdio: "ignore",
    env: {
      ...process.env,
      BIND: `127.0.0.1:${port}`,
      METRICS_BIND: `127.0.0.1:${metrics}`,
      TARGET: `http://127.0.0.1:${targetPort}`,
      USE_REMOTE_ADDRESS: "true",
      COOKIE_SECURE: "false",
      COOKIE_PARTITIONED: "false",
      COOKIE_SAME_SITE: "Lax",
      ...("algorithm" in settings && { POLICY_FNAME: policy }),
    },
  });
  const url = `http://127.0.0.1:${port}`;
  for (let polls = 0; polls < POLLS; polls += 1) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return { url, child };
    await sleep(POLL_MS);
  }
  child.kill();
  throw new Error(`Anubis did not start with ${settings.name}.`);
}

/** Builds it once, from its Go module. The programs of its pages are not in the module. @returns its program. */
async function buildAnubis(): Promise<string> {
  const folder = join(homedir(), ".cache/pergamon-lab", `anubis-${VERSION}`);
  const program = join(folder, "anubis");
  if (existsSync(program)) return program;
  const source = join(folder, "source");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const run = async (cwd: string, command: string, ...args: string[]) =>
    (await promisify(execFile)(command, args, { cwd, timeout: BUILD_LIMIT_MS })).stdout;
  await run(folder, "go", "mod", "init", "lab");
  const download = JSON.parse(
    await run(folder, "go", "mod", "download", "-json", `${MODULE}@${VERSION}`),
  ) as { Dir: string };
  await cp(download.Dir, source, { recursive: true });
  await makeWritable(source);
  await writeFile(
    join(source, "package.json"),
    JSON.stringify({ dependencies: { preact: "^10.29.3", "@aws-crypto/sha256-js": "^5.2.0" } }),
  );
  await rm(join(source, "package-lock.json"));
  await run(source, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund");
  await bundle(source);
  await run(source, "go", "build", "-o", program, "./cmd/anubis");
  return program;
}

/** Modules of Go are read-only. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
}

async function bundle(source: string): Promise<void> {
  const common = { bundle: true, minify: true, target: "chrome66" };
  const web = join(source, "web");
  const workers = (await readdir(join(web, "js/worker"))).map((name) => join(web, "js/worker", name));
  const outExtension = { ".js": ".mjs" };
  await build({
    ...common,
    entryPoints: [join(web, "js/main.ts"), ...workers],
    outdir: join(web, "static/js"),
    outbase: join(web, "js"),
    outExtension,
  });
  await cp(join(source, "lib/localization/locales"), join(web, "static/locales"), { recursive: true });
  const challenges = join(source, "lib/challenge");
  const bootstrap = join(challenges, "proofofwork/js/bootstrap.ts");
  await build({
    ...common,
    entryPoints: [bootstrap],
    outfile: join(challenges, "proofofwork/static/js/bootstrap.mjs"),
  });
  await build({
    ...common,
    entryPoints: [join(challenges, "preact/js/app.tsx")],
    outfile: join(challenges, "preact/static/app.js"),
  });
}
