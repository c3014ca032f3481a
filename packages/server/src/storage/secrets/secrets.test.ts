import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { readOrMakeKey } from "./key-file.ts";
import { openSecrets, SealError } from "./secrets.ts";

let folder: string;
let keyFile: string;

beforeEach(async () => {
  folder = testFolder();
  keyFile = join(folder, "made/when/missing/secret.key");
});

const content = Buffer.from("session=abcdef; a long enough text to look for");
const fromFile = () => openSecrets({ keys: [], keyFile });

test("what is sealed opens again, also by the next start", async () => {
  const sealed = (await fromFile()).seal(content, "profile:a:b");
  expect(Buffer.from(sealed).includes("session")).toBe(false);
  expect(Buffer.from((await fromFile()).open(sealed, "profile:a:b"))).toEqual(content);
});

test("the same content is never sealed to the same bytes", async () => {
  const secrets = await fromFile();
  expect(secrets.seal(content, "p")).not.toEqual(secrets.seal(content, "p"));
});

test("another purpose, a changed byte and a cut end do not open", async () => {
  const secrets = await fromFile();
  const sealed = secrets.seal(content, "profile:a:b");
  expect(() => secrets.open(sealed, "profile:a:c")).toThrow(SealError);
  for (const at of [0, 4, 12, 30, sealed.byteLength - 1]) {
    const changed = Uint8Array.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => secrets.open(changed, "profile:a:b")).toThrow(SealError);
  }
  expect(() => secrets.open(sealed.subarray(0, 20), "profile:a:b")).toThrow(SealError);
  expect(() => secrets.open(new Uint8Array(), "profile:a:b")).toThrow(SealError);
});

test("the key file is private, and the only thing left behind", async () => {
  await fromFile();
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(keyFile, ".."))).toEqual(["secret.key"]);
});

test("processes that start at once share one key", async () => {
  const started = await Promise.all(Array.from({ length: 8 }, fromFile));
  const sealed = started[0]?.seal(content, "p") ?? new Uint8Array();
  for (const secrets of started) expect(Buffer.from(secrets.open(sealed, "p"))).toEqual(content);
});

test("a lost key is told as such, with the names of both keys", async () => {
  const sealed = (await fromFile()).seal(content, "p");
  await rm(keyFile);
  const secrets = await fromFile();
  expect(() => secrets.open(sealed, "p")).toThrow(
    /sealed with key [0-9a-f]{16}; this service has key [0-9a-f]{16}.*Restore .*secret\.key/,
  );
});

test("a key file without a key is refused, and left as it is", async () => {
  await fromFile();
  await writeFile(keyFile, "not a key");
  await expect(fromFile()).rejects.toThrow("holds no key");
  expect(await readFile(keyFile, "utf8")).toBe("not a key");
});

test("configured keys: the first seals, all open", async () => {
  const old = Buffer.alloc(32, 1).toString("base64");
  const fresh = Buffer.alloc(32, 2).toString("base64");
  const sealed = (await openSecrets({ keys: [old], keyFile })).seal(content, "p");
  const both = await openSecrets({ keys: [fresh, old], keyFile });
  expect(Buffer.from(both.open(sealed, "p"))).toEqual(content);
  const freshOnly = await openSecrets({ keys: [fresh], keyFile });
  expect(() => freshOnly.open(sealed, "p")).toThrow(SealError);
  expect(Buffer.from(freshOnly.open(both.seal(content, "p"), "p"))).toEqual(content);
  await expect(openSecrets({ keys: ["c2hvcnQ="], keyFile })).rejects.toThrow("SECRET_KEY");
});

test("keys for signatures differ by purpose and stay the same", async () => {
  const secrets = await fromFile();
  const again = await fromFile();
  expect(again.keysFor("links")).toEqual(secrets.keysFor("links"));
  expect(secrets.keysFor("links")).not.toEqual(secrets.keysFor("other"));
});

test.each(["EPERM", "ENOTSUP"])(
  "where hard links end with %s, processes that start at once share one key all the same",
  async (code) => {
    const withoutLinks = async () => {
      throw Object.assign(new Error("no links here"), { code });
    };
    const keys = await Promise.all(Array.from({ length: 8 }, () => readOrMakeKey(keyFile, withoutLinks)));
    for (const key of keys) expect(key).toEqual(keys[0]);
    expect(await readOrMakeKey(keyFile, withoutLinks)).toEqual(keys[0]);
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(keyFile, ".."))).toEqual(["secret.key"]);
  },
);
