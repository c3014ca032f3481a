/**
 * Ends a test run with one plain line, `N passed, N failed`. A file that could not be loaded and an error
 * outside every test count as failed; a run without a single test fails. Tests that passed only when they were
 * run again are told by name: they are faults to be looked into.
 */
class PlainSummaryReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    const { passed, failed } = countResults(testModules, unhandledErrors);
    // At exit, so that nothing can be printed after it.
    process.once("exit", () => {
      for (const name of namesOfRetried(testModules))
        process.stdout.write(`Passed only the second time: ${name}\n`);
      process.stdout.write(`${passed} passed, ${failed} failed\n`);
      if (failed > 0 || passed === 0) process.exitCode = process.exitCode || 1;
    });
  }
}

function namesOfRetried(testModules) {
  const tests = testModules.flatMap((testModule) => [...testModule.children.allTests()]);
  return tests
    .filter((test) => test.diagnostic()?.flaky)
    .map((test) => `${test.module.moduleId} > ${test.fullName}`);
}

function countResults(testModules, unhandledErrors) {
  const counts = { passed: 0, failed: unhandledErrors.length };
  for (const testModule of testModules) {
    const results = [...testModule.children.allTests()].map((test) => test.result().state);
    const failedTests = results.filter((state) => state === "failed").length;
    counts.passed += results.filter((state) => state === "passed").length;
    counts.failed += failedTests === 0 && !testModule.ok() ? 1 : failedTests;
  }
  return counts;
}

export default PlainSummaryReporter;
