import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { expect, test } from "vitest";

const MODULE = new URL("./box-folder.ts", import.meta.url).href;

const SCRIPT = `
import { statSync } from "node:fs";
import { makeBoxFolder } from ${JSON.stringify(MODULE)};
process.umask(0o077);
const folder = await makeBoxFolder(undefined);
const paths = [await folder.write("program", "#!/bin/sh"), await folder.makeFolder("run"), folder.mountPoint];
console.log(paths.map((path) => (statSync(path).mode & 0o777).toString(8)).join(" "));
await folder.remove();
`;

test("what is made for boxes can be read by whom they run as, however private the service keeps its files", async () => {
  const args = ["--conditions=pergamon-source", "--import", "tsx", "--input-type=module", "--eval", SCRIPT];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toBe("755 755 755\n");
});
