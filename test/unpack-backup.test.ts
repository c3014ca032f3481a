import { createWriteStream } from "node:fs";
import { mkdtemp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

import { type Header, pack } from "tar-stream";
import { beforeEach, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { unpackBackup } from "../packages/server/src/operator/data/restore.ts";

/** What of an entry is not left to the archive. */
type Entry = Pick<Header, "name"> & Partial<Header>;

let folder: string;
let target: string;

beforeEach(async () => {
  folder = testFolder();
  target = await mkdtemp(join(folder, "target-"));
});

async function archiveWith(entry: Entry): Promise<string> {
  const file = join(folder, "backup.tar");
  const archive = pack();
  archive.entry({ name: "pergamon.db" }, "database");
  if (entry.type === undefined) archive.entry(entry, "planted");
  else archive.entry(entry);
  archive.finalize();
  await pipeline(archive, createWriteStream(file));
  return file;
}

test.each<[string, Entry]>([
  ["leads out of its folder", { name: "../planted" }],
  ["leads out of a folder in it", { name: "blobs/../../planted" }],
  ["begins at the root", { name: "/tmp/planted" }],
  ["has a Windows path", { name: "blobs\\..\\..\\planted" }],
  ["is a hard link", { name: "blobs/a", type: "link", linkname: "/etc/passwd" }],
  ["is a symbolic link", { name: "blobs/a", type: "symlink", linkname: "/etc" }],
  ["is a device", { name: "blobs/a", type: "character-device", devmajor: 1, devminor: 3 }],
  ["is a pipe", { name: "blobs/a", type: "fifo" }],
  ["comes twice", { name: "pergamon.db" }],
])("an archive with an entry that %s is refused", async (_what, entry) => {
  const file = await archiveWith(entry);
  await expect(unpackBackup(file, target, true)).rejects.toThrow(`it contains ${entry.name}`);
  expect(await readdir(target)).toEqual(["pergamon.db"]);
  expect((await readdir(folder)).toSorted()).toEqual(["backup.tar", target.slice(folder.length + 1)]);
});
