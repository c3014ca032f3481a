import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { endLike, runChild } from "./child.mjs";
import { withLock } from "./install-lock.mjs";
import { SetupError, step } from "./progress.mjs";

/** What npm says when an install fails → what a person can do. First match wins. */
const REMEDIES = [
  [/ENOSPC/, "No space is left on this disk: free about 500 MB and run the command again."],
  [
    /EACCES|EPERM|EROFS/,
    "This folder, or npm's cache (npm config get cache), cannot be written to: run the command as its owner, or copy the folder to one of yours.",
  ],
  [
    /EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTCACHED|network/i,
    "npm could not reach its registry: check the network and the proxy settings (npm config get registry, https-proxy), then run the command again.",
  ],
  [
    /EUSAGE/,
    "package.json and package-lock.json do not fit together: restore both from the repository, or run npm install.",
  ],
  [/EINTEGRITY/, "A downloaded package is damaged: run npm cache clean --force, then run the command again."],
  [/EBADENGINE/, "This Node version is too old for a dependency: install Node 24."],
];

/** Four attempts within 13 s. npm's own waits keep a machine without a network silent for over a minute. */
const RETRIES = ["--fetch-retries=3", "--fetch-retry-factor=3", "--fetch-retry-mintimeout=1000"];

/** Another npm, whose command was killed before it, still deletes what this one wrote. It ends within this time. */
const CLASH = /ENOTEMPTY|ENOENT/;
const CLASH_MS = 3000;

/**
 * Installs the packages of the lock file, without running their install scripts, unless they are there already.
 *
 * @param {string} root package folder
 * @param {"runtime" | "all"} scope `runtime` leaves out development tools; packages of a full install are kept
 */
export async function install(root, scope) {
  if (isInstalled(root, scope)) return;
  const result = await withLock(join(root, ".install.lock"), async () => {
    // Whoever held the lock may have done it.
    if (isInstalled(root, scope)) return undefined;
    return step("Installing dependencies", () => installOnce(root, scope));
  });
  if (result) endLike(result);
}

/** @returns how npm was stopped by a signal, if it was. */
async function installOnce(root, scope) {
  let result = await runCi(root, scope);
  if (result.code !== 0 && !result.signal && CLASH.test(result.output)) {
    await sleep(CLASH_MS);
    result = await runCi(root, scope);
  }
  if (result.signal) return result;
  if (result.code !== 0) throw installError(result.output);
  return undefined;
}

function runCi(root, scope) {
  return runNpm(root, [
    "ci",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    ...RETRIES,
    // NOTE: spelled out, because NODE_ENV=production would leave out the test tools.
    scope === "runtime" ? "--omit=dev" : "--include=dev",
  ]);
}

/**
 * Compares the lock file with npm's own record of what it installed. npm writes that record last, so an
 * interrupted install is noticed, and an install made by hand counts as well.
 */
function isInstalled(root, scope) {
  const wanted = readPackages(join(root, "package-lock.json"));
  if (!wanted) {
    throw new SetupError("package-lock.json is missing or damaged.", {
      remedy: "Use a complete copy of the repository: git clone, or the source archive of a release.",
    });
  }
  const present = readPackages(join(root, "node_modules", ".package-lock.json")) ?? {};
  return Object.entries(wanted).every(([path, { version, dev, optional, devOptional }]) => {
    const isLeftOut = path === "" || optional || devOptional || (dev && scope === "runtime");
    return isLeftOut || present[path]?.version === version;
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

async function runNpm(root, args) {
  // Under `npm start` npm tells its own location, which also works where npm is not on the PATH.
  const npmScript = process.env.npm_execpath;
  const command = npmScript?.endsWith("npm-cli.js")
    ? [process.execPath, npmScript, ...args]
    : ["npm", ...args];
  const needsShell = process.platform === "win32" && command[0] === "npm";
  try {
    return await runChild(command, { cwd: root, capture: true, shell: needsShell });
  } catch (cause) {
    throw new SetupError("npm was not found.", {
      remedy:
        "Install Node together with npm (https://nodejs.org, or your system's npm package), then run the command again.",
      cause,
    });
  }
}

function installError(output) {
  const known = REMEDIES.find(([pattern]) => pattern.test(output));
  const remedy = known?.[1] ?? "Run npm ci --ignore-scripts in this folder to see the whole message.";
  return new SetupError("The dependencies could not be installed.", { remedy, output });
}
