import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { isOfSet, TEST_SETS } from "../../../scripts/test-sets.mjs";
import type { ScaleOptions, ScaleReport } from "./parts.ts";
import { embeddedOnly } from "./embedded-only.ts";
import { startStores, storeSets } from "./suite-stores.ts";

const FOLDERS = ["packages", "test", "scripts"];
const TEST_FILE = /\.test\.tsx?$/;

interface Run {
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly options: readonly string[];
}

/** Runs all test files that `npm test` always runs, as they are, over stores that several machines share: each set in turn, or one. */
export async function runSuites({ stores, files = [], shard }: ScaleOptions): Promise<ScaleReport> {
  if (stores !== undefined && !Object.hasOwn(storeSets, stores))
    throw new Error(`--stores is one of: ${Object.keys(storeSets).join(", ")}`);
  const reports: ScaleReport[] = [];
  for (const set of stores === undefined ? Object.keys(storeSets) : [stores])
    reports.push(await runOver(set, files, shard === undefined ? [] : [`--shard=${shard}`]));
  return {
    figures: reports.map(({ figures }) => figures).join("; "),
    problems: reports.flatMap(({ problems }) => problems),
  };
}

async function runOver(
  set: string,
  filters: readonly string[],
  options: readonly string[],
): Promise<ScaleReport> {
  const servers = await startStores(storeSets[set] ?? []);
  try {
    const { environment } = servers;
    const wanted = (await testFiles()).filter(
      (file) => filters.length === 0 || filters.some((part) => file.includes(part)),
    );
    const leftOut = leftOutOf(set, wanted);
    // By their names: `--exclude` does not reach the projects of the configuration.
    const files = wanted.filter((file) => !leftOut.files.includes(file));
    const tests = allBut(leftOut.tests);
    const first = await runVitest({ environment, files, options: [...options, ...tests] });
    const again = [...new Set(first.failures.map(({ file }) => file))];
    const problems = [];
    for (const file of again) {
      const { failures } = await runVitest({ environment, files: [file], options: tests });
      for (const { text } of failures) problems.push(`${set}: ${file}: ${text}`);
      process.stdout.write(`${set}: ${file}: ${failures.length === 0 ? "passed alone" : "failed again"}\n`);
    }
    const counts = `${first.files} files, ${first.passed} tests passed, ${first.skipped} not run`;
    const figures = `${set}: ${counts}, ${again.length} files run again alone, ${leftOut.files.length} files left out`;
    return { figures, problems };
  } finally {
    await servers.stop();
  }
}

interface LeftOut {
  readonly files: readonly string[];
  /** Ends of names. */
  readonly tests: readonly string[];
}

/** What does not run over this set of stores. Says why. */
function leftOutOf(set: string, wanted: readonly string[]): LeftOut {
  const stores = storeSets[set] ?? [];
  const files: string[] = [];
  const tests: string[] = [];
  for (const { path, test, stores: absent, reason } of embeddedOnly) {
    if (!absent.some((store) => stores.includes(store))) continue;
    const found = wanted.filter((file) => (path.endsWith("/") ? file.startsWith(path) : file === path));
    for (const file of found)
      process.stdout.write(`NOT RUN over ${set}: ${file}${test ? ` > ${test}` : ""}: ${reason}\n`);
    if (test === undefined) files.push(...found);
    else if (found.length > 0) tests.push(test);
  }
  return { files, tests };
}

/** What runs all tests but these. */
function allBut(tests: readonly string[]): readonly string[] {
  return tests.length === 0 ? [] : [`--testNamePattern=^(?!.*(?:${tests.join("|")})$)`];
}

async function testFiles(): Promise<readonly string[]> {
  const folders = FOLDERS.map(async (folder) => {
    const names = await readdir(folder, { recursive: true });
    return names
      .filter((name) => TEST_FILE.test(name) && !name.includes("node_modules"))
      .map((name) => join(folder, name));
  });
  const files = (await Promise.all(folders)).flat();
  return files.filter((file) => !TEST_SETS.some((set) => isOfSet(set, file)));
}

interface Outcome {
  readonly files: number;
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly { readonly file: string; readonly text: string }[];
}

async function runVitest({ environment, files, options }: Run): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "suites-"));
  try {
    const report = join(folder, "report.json");
    const output = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const parameters = ["run", ...options, ...output, ...files];
    const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", ...parameters], {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "inherit", "inherit"],
    });
    await once(child, "exit");
    const read = JSON.parse(await readFile(report, "utf8")) as VitestReport;
    const { numPassedTests: passed, numPendingTests: skipped, testResults } = read;
    return { files: testResults.length, passed, skipped, failures: testResults.flatMap(failuresOf) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly FileResult[];
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

function failuresOf({ name, status, message, assertionResults }: FileResult): Outcome["failures"] {
  const file = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (failed.length === 0) return status === "failed" ? [{ file, text: message }] : [];
  return failed.map(({ fullName, failureMessages }) => ({
    file,
    text: `${fullName}: ${failureMessages[0] ?? ""}`,
  }));
}
