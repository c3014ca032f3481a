import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // One test that hangs costs two minutes; one minute was too short for a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes at once, or on a busy machine later: a second is no reason to fail.
    expect: { poll: { timeout: 20_000 } },
    // Real browsers on a busy machine: what fails is run once more, and the last lines of the run name it.
    retry: 1,
    // Files that share the modules which they test cost half of the processor time. They share a process, not a
    // thread: a native package ends the whole run when a thread that has used it ends.
    pool: "forks",
    isolate: false,
    // Most tests wait most of the time: for timers, for browsers, for the other end of a connection.
    maxWorkers: "200%",
    reporters: ["default", "./scripts/plain-summary-reporter.mjs"],
  },
});
