import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

test("a benchmark that does not exist is refused with those that do, before any is run", async () => {
  const args = ["--conditions=pergamon-source", "--import", "tsx", "lab/bench/main.ts", "start", "strat"];
  const outcome = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: REPOSITORY }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr });
    });
  });
  expect(outcome).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^There is no benchmark strat\. Use one of: start, cached, .*content.*\.\n$/,
    ),
  });
});
