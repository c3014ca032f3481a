import { availableParallelism } from "node:os";

import { defineConfig } from "vitest/config";

import { LongestFirst } from "./scripts/longest-first.mjs";
import { areStoresShared, sharedStores } from "./scripts/shared-stores.mjs";

/** Packages are imported from their sources, by this condition of their manifests. */
const SOURCE = "pergamon-source";

export default defineConfig({
  resolve: { conditions: [SOURCE, "module", "node"] },
  ssr: { resolve: { conditions: [SOURCE, "module", "node"] } },
  plugins: [sharedStores()],
  test: {
    name: "test",
    include: ["**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "**/dist/**", "lab/**"],
    // One test that hangs costs two minutes; one minute was too short for a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes at once, or on a busy machine later: a second is no reason to fail.
    expect: { poll: { timeout: 20_000 } },
    // Files that share the modules which they test cost half of the processor time. They share a process, not a
    // thread: a native package ends the whole run when a thread that has used it ends.
    pool: "forks",
    isolate: false,
    // Fewer collections of young objects: a tenth of the processor time.
    execArgv: ["--max-semi-space-size=64", `--conditions=${SOURCE}`],
    // Tests wait for timers, for browsers, for the other end of a connection: with one worker for each core these idle.
    // With two the run takes no less time, and whatever has a limit of time comes nearer to it. (As a percentage, vitest
    // takes at most one for each.)
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // What was transformed is kept in node_modules, unless drivers stand in for others: half of the time of a run of one file.
    experimental: { fsModuleCache: !areStoresShared() },
    setupFiles: ["./scripts/before-test-files.ts"],
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./scripts/plain-summary-reporter.mjs"],
  },
});
