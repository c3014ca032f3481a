import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MAX_FAILURES = 40;
const MAX_ERROR_LINES = 4;
const MAX_LINE_LENGTH = 200;

/**
 * Ends a test run with one plain line, `N passed, N failed`, and before it the names of what failed, each with the
 * first lines of its error. A file that could not be loaded and an error outside every test count as failed; a run
 * without a single test fails. Tests that passed only when they were run again are listed by name: they are faults to
 * be looked into, and so are sets of tests that were left out.
 */
class PlainSummaryReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    const failures = failuresOf(testModules, unhandledErrors);
    const tests = testModules.flatMap((testModule) => [...testModule.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    // At exit, so that nothing can be printed after it.
    process.once("exit", () => {
      for (const test of tests.filter((one) => one.diagnostic()?.flaky))
        process.stdout.write(`Passed only the second time: ${nameOf(test)}\n`);
      if (process.env.LEFT_OUT_TESTS) process.stdout.write(`${process.env.LEFT_OUT_TESTS}\n`);
      for (const failure of failures.slice(0, MAX_FAILURES)) process.stdout.write(describe(failure));
      process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
      if (failures.length > 0 || passed === 0) process.exitCode = process.exitCode || 1;
    });
  }
}

/** What failed, each with its name and its first error. */
function failuresOf(testModules, unhandledErrors) {
  const failures = [];
  for (const testModule of testModules) {
    const failed = [...testModule.children.allTests()].filter((test) => test.result().state === "failed");
    for (const test of failed) failures.push({ name: nameOf(test), error: test.result().errors?.[0] });
    if (failed.length === 0 && !testModule.ok())
      failures.push({ name: fileOf(testModule), error: firstErrorIn(testModule) });
  }
  for (const error of unhandledErrors) failures.push({ name: "outside every test", error });
  return failures;
}

/** The error of a file that has no failed test: its own, or that of a group whose set-up failed. */
function firstErrorIn(testModule) {
  const groups = [testModule, ...testModule.children.allSuites()];
  return groups.flatMap((group) => group.errors())[0];
}

function nameOf(test) {
  return `${fileOf(test.module)} > ${test.fullName}`;
}

function fileOf(testModule) {
  return relative(ROOT, testModule.moduleId);
}

/** `.ci/run` finds these lines again by how they begin. */
function describe({ name, error }) {
  const message = stripVTControlCharacters(error?.message || error?.stack || "(no message)");
  const lines = message.split("\n").filter((line) => line.trim() !== "");
  const place = error?.stacks?.[0];
  if (place) lines.splice(MAX_ERROR_LINES - 1, Infinity, `at ${relative(ROOT, place.file)}:${place.line}`);
  const shown = lines.slice(0, MAX_ERROR_LINES).map((line) => `  | ${line.slice(0, MAX_LINE_LENGTH)}\n`);
  return `Failed: ${name.replaceAll(/\s+/g, " ").slice(0, 2 * MAX_LINE_LENGTH)}\n${shown.join("")}`;
}

export default PlainSummaryReporter;
