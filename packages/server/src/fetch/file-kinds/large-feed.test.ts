import { expect, test } from "vitest";

import type { DocumentTools } from "./document-tools.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import { kindNamed } from "./all.ts";
import { detectFile } from "./detect.ts";
import type { FileSource } from "./kind.ts";
import { completeParts } from "./parts.ts";

const URL_OF_FEED = "https://news.test/feed";
const SIZE_BYTES = 50 * 2 ** 20;
const OPTIONS = {
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  removesConsent: true,
  parsers: [],
  languages: [],
};

/** Ten entities, each ten times the one before. */
const LAUGHS = Array.from({ length: 10 }, (_none, at) =>
  at === 0 ? '<!ENTITY e0 "laugh">' : `<!ENTITY e${at} "${`&e${at - 1};`.repeat(10)}">`,
).join("");

test("50 MB of items with entities that explode are read without them", async () => {
  const item = `<item><title>Ferry &e9;</title><link>/ferry</link><description>${"The ferry leaves at noon. ".repeat(40)}&e9;</description></item>`;
  const items = item.repeat(Math.ceil(SIZE_BYTES / item.length));
  const body = Buffer.from(
    `<?xml version="1.0"?><!DOCTYPE rss [${LAUGHS}]><rss><channel><title>News</title>${items}</channel></rss>`,
  );
  expect(body.length).toBeGreaterThan(SIZE_BYTES);
  const { kind, mimeType } = await detectFile(body, "application/rss+xml", URL_OF_FEED);
  const source: FileSource = {
    body,
    contentType: "application/rss+xml",
    url: URL_OF_FEED,
    mimeType,
    options: OPTIONS,
  };
  const stage = <Value>(_name: string, compute: () => Value) => lazy(compute);
  const tools = { stage, signal: new AbortController().signal, documents: {} as DocumentTools };
  const parts = completeParts(await kindNamed(kind).read(source, tools), source);
  const markdown = parts.markdown();
  expect(markdown).toContain("Ferry");
  expect(markdown).not.toContain("laugh");
  expect(markdown.length).toBeLessThan(2 * body.length);
}, 120_000);
