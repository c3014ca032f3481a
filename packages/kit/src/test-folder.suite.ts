import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ofTestFile } from "./test-file.suite.ts";

/** Makes an empty folder, which is removed after the last test of the file. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pergamon-test-"));
  return ofTestFile.add(folder, () => rmSync(folder, { recursive: true, force: true }));
}
