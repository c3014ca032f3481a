import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

const PROGRAM = `
  import { closeSync, openSync } from "node:fs";
  import { loadCode } from ${JSON.stringify(join(import.meta.dirname, "load-code.ts"))};
  const held = [];
  try { for (;;) held.push(openSync("/dev/null")); } catch {}
  const load = () => loadCode(() => import(${JSON.stringify(join(import.meta.dirname, "../uuid.ts"))}), "uuid");
  const first = await load().then(() => "loaded", ({ code }) => code);
  for (const descriptor of held) closeSync(descriptor);
  const second = await load().then(() => "loaded", ({ code }) => code);
  console.log(first, second);
`;

test("code that could not be loaded for want of files is loaded the next time", async () => {
  const { stdout } = await promisify(execFile)("bash", [
    "-c",
    'ulimit -n 150; exec "$0" --import tsx --input-type=module --eval "$1"',
    process.execPath,
    PROGRAM,
  ]);
  expect(stdout.trim()).toBe("EMFILE loaded");
});
