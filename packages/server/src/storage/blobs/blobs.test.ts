import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { describeBlobStore } from "./blob-store.suite.ts";
import { blobDrivers, openBlobs } from "./drivers.ts";

describe("memory blobs", () => {
  describeBlobStore(() => openBlobs("memory:"));
});

describe("file blobs", () => {
  let folder: string;
  beforeEach(async () => {
    folder = testFolder();
  });

  describeBlobStore(() => openBlobs(`file:${folder}/made/when/missing`));

  test("are still there after opening the folder again, by either spelling of the URL", async () => {
    const first = await openBlobs(`file:${folder}`);
    await first.put("a/b", Uint8Array.of(1, 2, 3));
    await first.close();
    const second = await openBlobs(`file://${folder}`);
    expect(Uint8Array.from((await second.get("a/b")) ?? [])).toEqual(Uint8Array.of(1, 2, 3));
  });

  test("leave no unfinished file behind, and clear those of a process that died", async () => {
    const unfinished = join(folder, ".unfinished");
    const blobs = await openBlobs(`file:${folder}`);
    await blobs.put("a", Uint8Array.of(1));
    await blobs.ping();
    expect(await readdir(unfinished)).toEqual([]);

    await writeFile(join(unfinished, "old"), "x");
    await writeFile(join(unfinished, "new"), "x");
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(join(unfinished, "old"), longAgo, longAgo);
    await openBlobs(`file:${folder}`);
    expect(await readdir(unfinished)).toEqual(["new"]);
  });

  test("say so when the folder cannot be written any more", async () => {
    const blobs = await openBlobs(`file:${folder}`);
    await rm(folder, { recursive: true });
    await expect(blobs.ping()).rejects.toThrow("ENOENT");
  });
});

test.each(["ftp://bucket/x", "nonsense", ""])(
  "an unknown scheme is refused with the known ones: %j",
  async (url) => {
    await expect(openBlobs(url)).rejects.toThrow("Known: file:, s3:, memory:");
  },
);

test("a driver is one line in the table", async () => {
  const mine = { check: () => undefined, open: () => openBlobs("memory:") };
  const drivers = new Map([...blobDrivers, ["mine:", mine] as const]);
  const blobs = await openBlobs("mine://anything", drivers);
  await blobs.put("a/b", Uint8Array.of(1));
  expect(await blobs.get("a/b")).toEqual(Uint8Array.of(1));
});
