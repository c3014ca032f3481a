import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Resources } from "../src/kit/resources.ts";
import { findS3Server, startS3 } from "../src/platform/blobs/s3-server.suite.ts";
import { findPostgres, startPostgres } from "../src/platform/database/postgres-server.suite.ts";

interface SuitesOptions {
  /** Which shared stores take the place of the embedded ones. */
  readonly database: boolean;
  readonly blobs: boolean;
  /** Paths of test files contain one of these. Empty: all files. */
  readonly filters: readonly string[];
}

interface SuitesReport {
  readonly passed: number;
  readonly problems: readonly string[];
}

/**
 * Left out: suites of the drivers themselves, which run over both kinds of stores anyway; and those that look into files or single blobs, ask
 * for plans of SQLite, or drive a service by a clock of their own, which no server goes by.
 */
const EMBEDDED_ONLY = [
  "src/platform/{blobs,coordination,database,jobs}/**",
  "src/{job-runs,profiles}/**",
  "src/accounts/callers.test.ts",
  "src/families/crawl/frontier.test.ts",
  "src/stores/captures/page-cache*.test.ts",
];
/** Each test file opens databases of its own. */
const SERVER_SETTINGS = ["max_connections=600", "max_locks_per_transaction=1024", "shared_buffers=256MB"];

/** Over both stores unless one is named; `files` are parts of paths, with commas. */
export async function soakSuites(values: {
  readonly database?: string | undefined;
  readonly blobs?: string | undefined;
  readonly files?: string | undefined;
}) {
  const { database, blobs, files = "" } = values;
  const isAll = database === undefined && blobs === undefined;
  const { passed, problems } = await runSuites({
    database: isAll || database === "postgres",
    blobs: isAll || blobs === "s3",
    filters: files.split(",").filter((part) => part !== ""),
  });
  return { figures: `${passed} tests passed`, problems };
}

/** Runs test files as they are, over stores that several machines share. @throws Error when such a server is missing. */
async function runSuites({ database, blobs, filters }: SuitesOptions): Promise<SuitesReport> {
  const resources = new Resources();
  try {
    const environment: Record<string, string> = {};
    if (database) {
      const server = await startPostgres(installed(findPostgres(), "Postgres"), SERVER_SETTINGS);
      resources.add(server, (started) => started.stop());
      environment["TEST_DATABASE_URL"] = server.url("public").replace(/&schema=.*/, "");
    }
    if (blobs) {
      const server = resources.add(await startS3(installed(findS3Server(), "moto_server")), (started) =>
        started.stop(),
      );
      environment["TEST_BLOBS_URL"] = await server.url();
    }
    const folder = resources.add(await mkdtemp(join(tmpdir(), "suites-")), (made) =>
      rm(made, { recursive: true, force: true }),
    );
    return await runVitest(join(folder, "report.json"), environment, filters);
  } finally {
    await resources.close();
  }
}

function installed(program: string | undefined, name: string): string {
  if (program === undefined) throw new Error(`${name} is not installed.`);
  return program;
}

async function runVitest(
  report: string,
  environment: Readonly<Record<string, string>>,
  filters: readonly string[],
): Promise<SuitesReport> {
  const excluded = EMBEDDED_ONLY.map((pattern) => `--exclude=${pattern}`);
  const output = ["--reporter=json", `--outputFile=${report}`];
  const child = spawn(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--project", "test", ...excluded, ...output, ...filters],
    { env: { ...process.env, ...environment }, stdio: ["ignore", "ignore", "inherit"] },
  );
  await once(child, "exit");
  const { numPassedTests, testResults } = JSON.parse(await readFile(report, "utf8")) as VitestReport;
  return { passed: numPassedTests, problems: testResults.flatMap(problemsOf) };
}

interface VitestReport {
  readonly numPassedTests: number;
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

function problemsOf({ name, status, message, assertionResults }: FileResult): readonly string[] {
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (failed.length === 0) return status === "failed" ? [`${name}: ${message}`] : [];
  return failed.map(({ fullName, failureMessages }) => `${name}: ${fullName}: ${failureMessages[0] ?? ""}`);
}
