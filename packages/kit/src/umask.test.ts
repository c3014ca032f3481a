import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { testFolder } from "./test-folder.suite.ts";
import { makePrivate, makeSharedFolder, shareFile } from "./umask.ts";

const before = process.umask(0o027);
const folder = testFolder();
afterAll(() => {
  process.umask(before);
});

test("files that somebody asked for have the rights that the shell leaves, others are private", () => {
  const rightsOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);
  makePrivate();
  for (const name of ["own", "asked"]) writeFileSync(join(folder, name), "");
  shareFile(join(folder, "asked"));
  makeSharedFolder(join(folder, "pages/docs"));
  makeSharedFolder(join(folder, "pages"));
  expect(["own", "asked", "pages", "pages/docs", "."].map(rightsOf)).toEqual([
    "600",
    "640",
    "750",
    "750",
    "700",
  ]);
});
