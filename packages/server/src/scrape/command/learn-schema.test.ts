import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { Command } from "commander";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { extractJson } from "@pergamon-dev/facts/extraction/extract-json";
import { gatherEvidence } from "@pergamon-dev/facts/structured/evidence";
import type { Program, Scraper } from "../../cli/program.ts";
import { addSchemaCommand } from "./learn-schema.ts";

let folder: string;
let [stdout, stderr] = ["", ""];

beforeEach(async () => {
  folder = testFolder();
  [stdout, stderr] = ["", ""];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((stdout += String(text)), true));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((stderr += String(text)), true));
});

afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** Pages of a shop by the number in their address. */
const scraper = {
  async scrape({ url, formats }: { url: string; formats: readonly [string | { schema: object }] }) {
    const id = url.slice(-1);
    const html = `<h1>Shop</h1><h2>Lamp ${id}</h2><p class="price">€ ${id}9</p>`;
    const [format] = formats;
    if (typeof format === "string") return { rawHtml: html, metadata: {} };
    const evidence = gatherEvidence({ tree: parseHtml(html), source: () => html, metadata: () => ({}) });
    const page = { tree: evidence.tree, baseUrl: url, compile: () => undefined, isShown: () => true };
    return { json: extractJson(evidence, format, url, page).value, metadata: {} };
  },
  close: async () => undefined,
} as unknown as Scraper;

async function learn(values: readonly object[]): Promise<void> {
  const file = join(folder, "examples.json");
  const pages = values.map((own, at) => ({ url: `https://shop.test/${at + 1}`, values: own }));
  await writeFile(file, JSON.stringify(pages));
  const cli = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addSchemaCommand(cli, () => ({ openScraper: async () => scraper }) as unknown as Program);
  await cli.parseAsync(["schema", "learn", file], { from: "user" });
}

const LEARNED = {
  name: { type: "string", "x-selector": "h2" },
  price: { type: "number", "x-selector": "p.price" },
};
const lamp = (at: number) => ({ name: `Lamp ${at}`, price: at * 10 + 9 });

test("A80 a schema is learned, printed, and tried on the last page", async () => {
  await learn([lamp(1), lamp(2), lamp(3)]);
  expect(JSON.parse(stdout)).toEqual({ type: "object", properties: LEARNED });
  expect(stderr).toBe(`https://shop.test/3 has ${JSON.stringify(lamp(3))}.\n`);
  expect(process.exitCode ?? 0).toBe(0);
});

test("what is not learned, and what differs on the last page, is told and fails", async () => {
  await learn([{ ...lamp(1), colour: "red" }, lamp(2), { ...lamp(3), price: 5 }]);
  expect(JSON.parse(stdout)).toEqual({ type: "object", properties: LEARNED });
  expect(stderr).toContain("colour: no selector gives the value of all pages");
  expect(stderr).toContain("price: 5 was expected.");
  expect(process.exitCode).toBe(1);
});

test("two pages are too few", async () => {
  await expect(learn([lamp(1), lamp(2)])).rejects.toThrow("expected array to have >=3 items");
});
