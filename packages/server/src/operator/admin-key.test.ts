import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { makeAdminKey, openAdminKey } from "./admin-key.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "admin-key-"));
  file = join(folder, "admin-key.sha256");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("a key is made at the first start, told once, and valid at every start after", async () => {
  const first = await openAdminKey(undefined, file);
  const key = first.fresh ?? "";
  expect(key).toMatch(/^pa-[0-9a-f]{48}$/);
  expect(first.isValid(key)).toBe(true);
  const second = await openAdminKey(undefined, file);
  expect([second.isValid(key), second.fresh]).toEqual([true, undefined]);
});

test("only its hash is kept, in a file that nobody else may read", async () => {
  const { fresh = "" } = await openAdminKey(undefined, file);
  expect(await readFile(file, "utf8")).toBe(`${sha256(fresh)}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("a configured key is used, and no file is made", async () => {
  const { isValid, fresh } = await openAdminKey("configured-by-the-operator", file);
  expect([isValid("configured-by-the-operator"), fresh]).toEqual([true, undefined]);
  await expect(stat(file)).rejects.toThrow(/ENOENT/);
});

test("a configured key ends the one of the file", async () => {
  const key = await makeAdminKey(file);
  const { isValid } = await openAdminKey("configured-by-the-operator", file);
  expect([isValid(key), isValid("configured-by-the-operator")]).toEqual([false, true]);
});

test("a new key ends the one before, and two are never the same", async () => {
  const [old, fresh] = [await makeAdminKey(file), await makeAdminKey(file)];
  const { isValid } = await openAdminKey(undefined, file);
  expect([isValid(old), isValid(fresh)]).toEqual([false, true]);
});

test.each([
  ["nothing", () => ""],
  ["its hash", (key: string) => sha256(key)],
  ["a part of it", (key: string) => key.slice(0, -1)],
  ["more than it", (key: string) => `${key} `],
  ["it in capitals", (key: string) => key.toUpperCase()],
  ["a megabyte", () => "x".repeat(1_000_000)],
  ["what is no text", () => "\0\uFFFF\uD800"],
])("%s is no key", async (_what, candidate) => {
  const key = await makeAdminKey(file);
  const { isValid } = await openAdminKey(undefined, file);
  expect(isValid(candidate(key))).toBe(false);
  expect(isValid(key)).toBe(true);
});

test("keys of any length are compared as hashes, so that no length shows and none fails", async () => {
  const { isValid } = await openAdminKey("k", file);
  for (const length of [0, 1, 31, 32, 33, 64, 1000]) expect(isValid("x".repeat(length))).toBe(false);
});

test.each(["", "\n", "pa-0123", sha256("x").slice(1), `${sha256("x")}0`, sha256("x").toUpperCase(), "{}"])(
  "a file that holds no hash (%j) stops the start, and says what to do",
  async (text) => {
    await writeFile(file, text);
    await expect(openAdminKey(undefined, file)).rejects.toThrow(
      `${file} holds no hash of an operator key. Delete it to have a new key made.`,
    );
    expect(await readFile(file, "utf8")).toBe(text);
  },
);

test("space around the hash does no harm", async () => {
  await writeFile(file, `  ${sha256("key")}\r\n\n`);
  expect((await openAdminKey(undefined, file)).isValid("key")).toBe(true);
});

test("a file that cannot be read stops the start; no new key replaces it", async () => {
  await mkdir(file);
  await expect(openAdminKey(undefined, file)).rejects.toThrow(/EISDIR/);
});

test("a folder that is missing or closed stops the start", async () => {
  await expect(openAdminKey(undefined, join(folder, "absent", "key"))).rejects.toThrow(/ENOENT/);
  if (process.getuid?.() === 0) return;
  await chmod(folder, 0o500);
  await expect(openAdminKey(undefined, file)).rejects.toThrow(/EACCES/);
  await chmod(folder, 0o700);
});
