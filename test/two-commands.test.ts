import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";

const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));

/** Stands in for npm: records its arguments, then "installs" by writing npm's own record of what is there. */
const FAKE_NPM = `
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

if (process.env.FAKE_NPM_ENDS_LATE) process.on("SIGTERM", () => undefined);
appendFileSync("npm-calls.txt", process.argv.slice(2).join(" ") + "\\n");
if (process.env.FAKE_NPM_ENDS_LATE) {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  appendFileSync("npm-calls.txt", "end\\n");
}
const calls = readFileSync("npm-calls.txt", "utf8").split("\\n").length - 1;
if (process.env.FAKE_NPM_FAILURE && calls <= Number(process.env.FAKE_NPM_FAILURES ?? 9)) {
  console.error(process.env.FAKE_NPM_FAILURE);
  process.exit(1);
}
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const isKept = ([path, { dev }]) => path !== "" && !(dev && process.argv.includes("--omit=dev"));
const kept = Object.fromEntries(Object.entries(packages).filter(isKept));
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: kept }));
`;

/** Nothing of the environment the tests run in. */
const ENVIRONMENT = { PATH: "/usr/bin:/bin" };

const MAIN = 'console.log("main", process.argv.slice(2).join(" "));';

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let folder = "";

beforeEach(async () => {
  folder = testFolder();
  await cp(join(REPOSITORY, "bin"), join(folder, "bin"), { recursive: true });
  for (const path of [
    "scripts/choose-tests.mjs",
    "scripts/test-sets.mjs",
    "packages/kit/src/process/load-code.ts",
  ])
    await cp(join(REPOSITORY, path), join(folder, path));
  await writeFiles({
    "package.json": '{ "type": "module", "engines": { "node": ">=20.19.0" } }',
    "package-lock.json": lockFile({ "node_modules/a": { version: "1.0.0" } }),
    "fake/npm-cli.js": FAKE_NPM,
    "fake/package.json": '{ "type": "module" }',
    "packages/server/src/main.ts": MAIN,
    "packages/server/src/cli/main.ts": 'console.log("cli", process.argv.slice(2).join(" "));',
    "node_modules/vitest/vitest.mjs":
      'console.log("vitest", process.argv.slice(2).join(" ")); process.exit(3);',
  });
  // The build tool is the only real package here.
  await symlink(join(REPOSITORY, "node_modules/esbuild"), join(folder, "node_modules/esbuild"));
});

async function writeFiles(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

function lockFile(packages: Readonly<Record<string, object>>): string {
  return JSON.stringify({ lockfileVersion: 3, packages: { "": {}, ...packages } });
}

/** Runs one of the commands in the folder, with the stand-in for npm. */
function run(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const env = { ...ENVIRONMENT, npm_execpath: join(folder, "fake/npm-cli.js"), ...environment };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(folder, script), ...args],
      { env, cwd: tmpdir() },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      },
    );
  });
}

async function npmCalls(): Promise<readonly string[]> {
  const text = await readFile(join(folder, "npm-calls.txt"), "utf8").catch(() => "");
  return text.split("\n").filter(Boolean);
}

describe("start", () => {
  test("installs without scripts and development tools, builds, runs", async () => {
    const { code, stdout, stderr } = await run("bin/run.mjs", ["start", "--flag"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "main --flag\n" });
    expect(await npmCalls()).toEqual([expect.stringMatching(/^ci --ignore-scripts .*--omit=dev$/)]);
    expect(stderr).toMatch(/^Installing dependencies … \d+\.\d s\nBuilding … \d+\.\d s\n$/);
  });

  test("does nothing but run the second time", async () => {
    await run("bin/run.mjs", ["start"]);
    const second = await run("bin/run.mjs", ["start"]);
    expect(second).toEqual({ code: 0, stdout: "main \n", stderr: "" });
    expect(await npmCalls()).toHaveLength(1);
  });

  test("installs again when the lock file changed", async () => {
    await run("bin/run.mjs", ["start"]);
    await writeFiles({ "package-lock.json": lockFile({ "node_modules/a": { version: "1.0.1" } }) });
    const { stderr } = await run("bin/run.mjs", ["start"]);
    expect(stderr).toContain("Installing dependencies");
    expect(await npmCalls()).toHaveLength(2);
  });

  test("is content with optional packages of other platforms left out", async () => {
    const packages = { "node_modules/a": { version: "1.0.0" } };
    await writeFiles({ "node_modules/.package-lock.json": JSON.stringify({ packages }) });
    const other = { "node_modules/other-platform": { version: "1.0.0", optional: true } };
    await writeFiles({ "package-lock.json": lockFile({ ...packages, ...other }) });
    await run("bin/run.mjs", ["start"]);
    expect(await npmCalls()).toEqual([]);
  });

  test("builds again when a source changed or went away", async () => {
    await writeFiles({ "packages/server/src/extra.ts": "export {};" });
    await run("bin/run.mjs", ["start"]);
    await writeFiles({ "packages/server/src/main.ts": 'console.log("changed");' });
    expect(await run("bin/run.mjs", ["start"])).toMatchObject({ stdout: "changed\n" });
    await rm(join(folder, "packages/server/src/extra.ts"));
    const { stderr } = await run("bin/run.mjs", ["start"]);
    expect(stderr).toContain("Building");
  });

  test("does not build again for a changed test", async () => {
    await run("bin/run.mjs", ["start"]);
    await writeFiles({ "packages/server/src/main.test.ts": "export {};" });
    expect(await run("bin/run.mjs", ["start"])).toMatchObject({ stderr: "" });
  });

  test("loads lazy parts from the build, and packages written in CommonJS", async () => {
    await writeFiles({
      "packages/server/src/main.ts": 'const { lazy } = await import("./lazy.ts"); console.log(lazy);',
      "packages/server/src/lazy.ts": 'import old from "./old.cjs"; export const lazy = old.folder;',
      "packages/server/src/old.cjs": 'module.exports = { folder: require("node:path").basename(__dirname) };',
    });
    expect(await run("bin/run.mjs", ["start"])).toMatchObject({ code: 0, stdout: "dist\n" });
  });

  test("passes the exit code on", async () => {
    await writeFiles({ "packages/server/src/main.ts": "process.exitCode = 7;" });
    expect(await run("bin/run.mjs", ["start"])).toMatchObject({ code: 7 });
  });

  test("shows what is wrong with the sources", async () => {
    await writeFiles({ "packages/server/src/main.ts": "const = 1;" });
    const { code, stderr } = await run("bin/run.mjs", ["start"]);
    expect(code).toBe(1);
    expect(stderr).toContain("packages/server/src/main.ts:1:6");
    expect(stderr).toContain("The program could not be built.\n→ Correct the errors above");
  });

  test("stops when the npm that started it is gone", async () => {
    const onStop = 'process.on("SIGTERM", () => { console.log("stopping"); process.exit(0); });';
    await writeFiles({
      "packages/server/src/main.ts": `${onStop} console.log("ready"); setInterval(() => {}, 1000);`,
    });
    // npm starts commands through a shell. The command after it keeps the shell from becoming Node itself.
    const shell = spawn("/bin/sh", ["-c", `"${process.execPath}" bin/run.mjs start; true`], {
      cwd: folder,
      env: { ...ENVIRONMENT, npm_execpath: join(folder, "fake/npm-cli.js"), npm_lifecycle_event: "start" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let output = "";
    for await (const text of shell.stdout.setEncoding("utf8")) {
      output += String(text);
      if (output.includes("ready")) shell.kill("SIGTERM");
    }
    expect(output).toBe("ready\nstopping\n");
  });
});

describe("the memory of a service", () => {
  const SERVICE = `
    const signals = [];
    process.on("SIGTERM", () => { signals.push("SIGTERM"); setTimeout(() => { console.log("told", signals.length, "times"); process.exit(5); }, 300); });
    console.log(JSON.stringify({ arenas: process.env.MALLOC_ARENA_MAX, trim: process.env.MALLOC_TRIM_THRESHOLD_, mapped: process.env.MALLOC_MMAP_THRESHOLD_, options: process.execArgv, mark: process.env.PERGAMON_STARTED_AGAIN, args: process.argv.slice(2) }));
    setInterval(() => {}, 1000);`;

  function start(script: string, args: readonly string[], changes: Readonly<Record<string, string>> = {}) {
    const env = { ...ENVIRONMENT, npm_execpath: join(folder, "fake/npm-cli.js"), ...changes };
    const child = spawn(process.execPath, [join(folder, script), ...args], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (output += String(text)));
    return { child, output: () => output };
  }

  test.each([
    { script: "bin/run.mjs", command: "start", args: ["start", "--flag"], given: ["--flag"] },
    { script: "bin/pergamon.mjs", command: "serve", args: ["serve", "--flag"], given: ["serve", "--flag"] },
  ])("$command is small without anybody's doing, and signals and exit code pass through", async (one) => {
    await writeFiles({ "packages/server/src/main.ts": SERVICE, "packages/server/src/cli/main.ts": SERVICE });
    const { child, output } = start(one.script, one.args, { MALLOC_ARENA_MAX: "3" });
    await expect.poll(output, { timeout: 30_000 }).toContain("\n");
    expect(JSON.parse(output())).toEqual({
      // What the operator has set stays.
      arenas: "3",
      trim: "131072",
      mapped: "65536",
      options: ["--max-semi-space-size=4", "--min-semi-space-size=4", "--initial-old-space-size=40"],
      args: one.given,
    });
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([5, null]);
    expect(output()).toContain("told 1 times");
  });

  test("nothing is started again where all is set, and what was started ends with its parent", async () => {
    await writeFiles({ "packages/server/src/main.ts": `console.log("pid", process.pid); ${SERVICE}` });
    const set = {
      MALLOC_ARENA_MAX: "2",
      MALLOC_TRIM_THRESHOLD_: "1",
      MALLOC_MMAP_THRESHOLD_: "131072",
      NODE_OPTIONS: "--max-semi-space-size=8",
    };
    const same = start("bin/run.mjs", ["start"], set);
    await expect.poll(same.output, { timeout: 30_000 }).toContain(`pid ${same.child.pid}\n`);
    same.child.kill("SIGKILL");
    const other = start("bin/run.mjs", ["start"]);
    await expect.poll(other.output, { timeout: 30_000 }).toContain("{");
    other.child.kill("SIGKILL");
    await expect.poll(other.output, { timeout: 30_000 }).toContain("told 1 times");
  });
});

describe("R16 an install that is stopped and started again", () => {
  test("waits for the one that still ends, and does not run beside it", async () => {
    const env = { FAKE_NPM_ENDS_LATE: "1" };
    const first = spawn(process.execPath, [join(folder, "bin/run.mjs"), "start"], {
      env: { ...ENVIRONMENT, npm_execpath: join(folder, "fake/npm-cli.js"), ...env },
      stdio: "ignore",
    });
    const ended = once(first, "exit");
    await expect.poll(npmCalls, { timeout: 20_000 }).toHaveLength(1);
    first.kill("SIGTERM");
    expect(await run("bin/run.mjs", ["start"])).toMatchObject({ code: 0, stdout: "main \n" });
    await ended;
    const calls = await npmCalls();
    expect(calls.slice(0, 2)).toEqual([expect.stringMatching(/^ci /), "end"]);
    expect(await readdir(folder)).not.toContain(".install.lock");
  });

  test("is tried once more when an npm that was left behind is in its way", async () => {
    const failure = { FAKE_NPM_FAILURE: "npm error code ENOTEMPTY", FAKE_NPM_FAILURES: "1" };
    expect(await run("bin/run.mjs", ["start"], failure)).toMatchObject({ code: 0, stdout: "main \n" });
    expect(await npmCalls()).toHaveLength(2);
  });

  test.each([
    ["of a process that is gone", "999999999", 0],
    ["that holds no number", "nonsense", 0],
    ["that was never written", "", 3_600_000],
    ["of a process that cannot install for so long", String(process.pid), 3_600_000],
  ])("is not kept from it by a lock %s", async (_which, pid, ageMs) => {
    await writeFiles({ ".install.lock": pid });
    const made = new Date(Date.now() - ageMs);
    await utimes(join(folder, ".install.lock"), made, made);
    expect(await run("bin/run.mjs", ["start"])).toMatchObject({ code: 0, stdout: "main \n" });
  });
});

describe("when something is wrong", () => {
  test.each([
    ["npm error code ENOSPC", "No space is left"],
    ["npm error code EACCES\nnpm error syscall mkdir", "This folder, or npm's cache"],
    ["npm error code EAI_AGAIN", "npm could not reach its registry"],
    ["npm error code EUSAGE", "package.json and package-lock.json do not fit together"],
    ["npm error code EINTEGRITY", "A downloaded package is damaged"],
    ["npm error something else", "Run npm ci --ignore-scripts"],
  ])("explains %s", async (failure, remedy) => {
    const { code, stdout, stderr } = await run("bin/run.mjs", ["start"], { FAKE_NPM_FAILURE: failure });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`${failure}\n\nThe dependencies could not be installed.\n→ ${remedy}`);
  });

  test("says that npm is missing", async () => {
    const { code, stderr } = await run("bin/run.mjs", ["start"], { npm_execpath: "", PATH: folder });
    expect(code).toBe(1);
    expect(stderr).toContain("npm was not found.\n→ Install Node together with npm");
  });

  test("says that the lock file is missing", async () => {
    await rm(join(folder, "package-lock.json"));
    expect((await run("bin/run.mjs", ["start"])).stderr).toContain(
      "package-lock.json is missing or damaged.\n→ ",
    );
  });

  test("says which Node is needed", async () => {
    await writeFiles({ "package.json": '{ "type": "module", "engines": { "node": ">=99.1.0" } }' });
    const { code, stderr } = await run("bin/run.mjs", ["start"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`Pergamon needs Node 99.1 or newer; this is Node ${process.versions.node}.\n→ `);
  });

  test("names the commands there are", async () => {
    const { code, stderr } = await run("bin/run.mjs", ["toString"]);
    expect(code).toBe(1);
    expect(stderr).toBe("Unknown command: toString\n→ Use one of: start, dev, check, test.\n");
  });
});

describe("check", () => {
  test("installs everything and does not build: what is wrong with the sources is for it to say", async () => {
    const tool = { "node_modules/tool": { version: "1.0.0", dev: true } };
    await writeFiles({
      "package-lock.json": lockFile(tool),
      "scripts/check.mjs": 'console.log("checked"); process.exit(4);',
      "packages/server/src/main.ts": "const = 1;",
    });
    expect(await run("bin/run.mjs", ["check"])).toMatchObject({ code: 4, stdout: "checked\n" });
    expect(await npmCalls()).toEqual([expect.stringMatching(/^ci --ignore-scripts .*--include=dev$/)]);
  });
});

describe("test", () => {
  const tool = { "node_modules/tool": { version: "1.0.0", dev: true } };

  test("installs everything, also in production mode, and passes arguments and exit code", async () => {
    await writeFiles({ "package-lock.json": lockFile(tool) });
    const outcome = await run("bin/run.mjs", ["test", "-t", "name"], { NODE_ENV: "production" });
    expect(outcome).toMatchObject({ code: 3, stdout: "vitest run -t name\n" });
    expect(await npmCalls()).toEqual([expect.stringMatching(/^ci --ignore-scripts .*--include=dev$/)]);
  });

  test("adds the development tools to a start's install; start keeps them", async () => {
    await writeFiles({ "package-lock.json": lockFile(tool) });
    await run("bin/run.mjs", ["start"]);
    await run("bin/run.mjs", ["start"]);
    expect(await npmCalls()).toHaveLength(0);
    await run("bin/run.mjs", ["test"]);
    await run("bin/run.mjs", ["start"]);
    expect(await npmCalls()).toHaveLength(1);
  });
});

describe("pergamon", () => {
  test("prepares like start; standard output belongs to the command", async () => {
    const outcome = await run("bin/pergamon.mjs", ["scrape", "--full-page"]);
    expect(outcome).toMatchObject({ code: 0, stdout: "cli scrape --full-page\n" });
    expect(await npmCalls()).toHaveLength(1);
  });
});
