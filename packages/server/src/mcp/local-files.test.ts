import { chmod, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import { afterEach, beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { LinkedFile } from "../files/files.ts";
import { MAX_IMAGE_BYTES, type Content } from "./documents/content.ts";
import { bringFiles } from "./local-files.ts";

const LINKS = {
  picture: "/v2/files/a1.png?expires=1&signature=ab-c_1",
  huge: "/v2/files/b2.png?expires=1&signature=ab-c_2",
  song: "/v2/files/c3.mp3?expires=1&signature=ab-c_3",
};

let folder: string;

beforeEach(async () => {
  folder = testFolder();
});

afterEach(async () => {
  await chmod(folder, 0o700);
});

function fileOf(text: string, contentType: LinkedFile["contentType"], sizeBytes = text.length): LinkedFile {
  return { contentType, sizeBytes, read: async () => Readable.from([Buffer.from(text)]) };
}

async function open(link: string): Promise<LinkedFile | undefined> {
  if (link === LINKS.picture) return fileOf("small", "image/png");
  if (link === LINKS.huge) return fileOf("huge", "image/png", MAX_IMAGE_BYTES + 1);
  return link === LINKS.song ? fileOf("song", "audio/mpeg") : undefined;
}

const text = (value: unknown): Content => ({ type: "text", text: JSON.stringify(value) });

test("a picture comes along as an image, before the facts", async () => {
  const content = await bringFiles([text({ screenshot: LINKS.picture }), text({ facts: 1 })], {
    open,
    folder,
  });
  expect(content).toEqual([
    text({ screenshot: "image 1 of this result" }),
    { type: "image", data: Buffer.from("small").toString("base64"), mimeType: "image/png" },
    text({ facts: 1 }),
  ]);
  expect(await readdir(folder)).toEqual([]);
});

test("what is too large to be shown, or no picture, is a file in the folder", async () => {
  const content = await bringFiles([text([LINKS.huge, LINKS.song, LINKS.song])], { open, folder });
  const song = join(folder, "c3.mp3");
  expect(content).toEqual([text([join(folder, "b2.png"), song, song])]);
  expect(await readFile(song, "utf8")).toBe("song");
  expect((await readdir(folder)).toSorted()).toEqual(["b2.png", "c3.mp3"]);
});

test("links that the service did not make are left alone", async () => {
  const content = [text(`${LINKS.song}x and /v2/files/d4.png?expires=1&signature=x`)];
  expect(await bringFiles(content, { open, folder })).toBe(content);
});
