import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { isReadableBy, NOBODY } from "./account.ts";

let folder = "";
let file = "";

beforeEach(async () => {
  folder = testFolder();
  file = join(folder, "inside", "file");
  await mkdir(join(folder, "inside"));
  await writeFile(file, "");
  await chmod(folder, 0o755);
  await chmod(join(folder, "inside"), 0o755);
  await chmod(file, 0o644);
});

test("a file that everybody may read, in folders that everybody may enter, is readable", async () => {
  expect(await isReadableBy(NOBODY, file)).toBe(true);
  expect(await isReadableBy(NOBODY, join(folder, "inside"))).toBe(true);
});

test.each([
  ["the file", () => file, 0o600],
  ["its folder", () => join(folder, "inside"), 0o700],
  ["a folder above", () => folder, 0o750],
])("not when %s is closed to others", async (_name, closed, mode) => {
  await chmod(closed(), mode);
  expect(await isReadableBy(NOBODY, file)).toBe(false);
  const [uid = 0, gid = 0] = [process.getuid?.(), process.getgid?.()];
  expect(await isReadableBy({ uid, gid }, file)).toBe(true);
});

test("a link is as open as the way to it and to what it names", async () => {
  const link = join(folder, "link");
  await symlink(file, link);
  expect(await isReadableBy(NOBODY, link)).toBe(true);
  await chmod(join(folder, "inside"), 0o700);
  expect(await isReadableBy(NOBODY, link)).toBe(false);
});

test("what is not there is not readable", async () => {
  expect(await isReadableBy(NOBODY, join(folder, "nothing"))).toBe(false);
});
