import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { ScrapeData } from "../answer/schema.ts";
import { SiteFolder } from "./site-folder.ts";

let folder: string;

beforeEach(async () => {
  folder = testFolder();
});

function pageOf(url: string): ScrapeData {
  const metadata = { url, sourceURL: url, statusCode: 200, title: "A page" };
  return { markdown: `# ${url}`, metadata } as unknown as ScrapeData;
}

async function filesOf(urls: readonly string[]): Promise<readonly string[]> {
  const site = new SiteFolder(folder);
  for (const url of urls) await site.write(pageOf(url), (to) => writeFile(to.main(url, "md"), `# ${url}\n`));
  await site.end();
  const lines = (await readFile(join(folder, "index.jsonl"), "utf8")).trim().split("\n");
  return lines.map((line) => (JSON.parse(line) as { readonly file: string }).file);
}

test("files are laid out by the paths of pages", async () => {
  const urls = ["/", "/docs", "/docs/", "/docs/part-1", "/a.html"].map((path) => `https://shop.test${path}`);
  const files = await filesOf(urls);
  expect(files).toEqual(["index.md", "docs.md", "docs/index.md", "docs/part-1.md", "a.html.md"]);
  expect(await readFile(join(folder, "docs/part-1.md"), "utf8")).toBe("# https://shop.test/docs/part-1\n");
});

test("no two pages share a file, and none leaves the folder", async () => {
  const urls = [
    "https://shop.test/x",
    "https://shop.test/X",
    "https://shop.test/x?page=2",
    "https://shop.test/x?page=3",
    `https://shop.test/${"long".repeat(100)}`,
    `https://shop.test/${"long".repeat(101)}`,
    "https://shop.test/.hidden/%2e%2e%2f..%2f/a",
    "https://other.test/x",
    "https://shop.test/a:b\\c/€",
  ];
  const files = await filesOf(urls);
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(urls.length);
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(found.filter((entry) => entry.isFile())).toHaveLength(urls.length + 1);
  expect(files.filter((file) => file.startsWith("other.test/"))).toHaveLength(1);
});

test("the same pages get the same files when a crawl goes on", async () => {
  const urls = ["https://shop.test/a", "https://shop.test/A", "https://shop.test/b?x=1"];
  expect(await filesOf(urls)).toEqual(await filesOf(urls));
});
