import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { build } from "esbuild";
import { expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";

/** As nearly as V8 can do the same again: each function is optimised when it is wanted, and not while the next one runs. */
const REPEATABLE = ["--no-concurrent-recompilation", "--random-seed=1", "--hash-seed=1"];
const TOLD = ["--trace-opt", "--trace-deopt"];
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** What the engine costs without a clock. */
interface EngineWork {
  readonly optimised: number;
  readonly deoptimised: number;
  readonly copiedBytes: number;
}

/** What was measured for a major version of Node, and how far ten runs were apart. */
interface Committed extends EngineWork {
  readonly spread: EngineWork;
}

/** Of another machine with the same version; far less than what a new step for each page adds. */
const LEAST_TOLERANCE = 0.1;

/** Ten runs differ by less. */
function most(committed: Committed, what: keyof EngineWork): number {
  const tolerance = Math.max(2 * committed.spread[what], LEAST_TOLERANCE * committed[what]);
  return Math.ceil(committed[what] + tolerance);
}

test("1,200 pages make V8 compile and the engine copy no more than before", async () => {
  const figures = JSON.parse(
    await readFile(new URL("engine-work/figures.json", import.meta.url), "utf8"),
  ) as Readonly<Record<string, Committed>>;
  const major = process.versions.node.split(".", 1)[0] ?? "";
  // A version that nobody has measured yet is compared with the one that optimises most.
  const committed = figures[major] ?? Object.values(figures).at(-1);
  const work = await measure();
  const allowed = (what: keyof EngineWork) => (committed ? most(committed, what) : 0);
  const excess = (["optimised", "deoptimised", "copiedBytes"] as const).filter(
    (what) => !(work[what] > 0 && work[what] <= allowed(what)),
  );
  expect({ excess, of: work }).toEqual({ excess: [], of: work });
});

async function measure(): Promise<EngineWork> {
  const folder = testFolder();
  const program = join(folder, "program.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "engine-work/program.ts")],
    outfile: program,
    bundle: true,
    conditions: ["pergamon-source"],
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const args = [...REPEATABLE, ...TOLD, program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: MAX_OUTPUT_BYTES });
  const told = JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as Pick<EngineWork, "copiedBytes">;
  return {
    optimised: stdout.match(/^\[completed compiling /gm)?.length ?? 0,
    deoptimised: stdout.match(/^\[bailout \(kind/gm)?.length ?? 0,
    copiedBytes: told.copiedBytes,
  };
}
