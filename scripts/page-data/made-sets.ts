import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { makeFacts, type MadeFactsPage } from "../../training/made/facts.ts";
import { makeMenus } from "../../training/made/menus.ts";
import { makeProducts } from "../../training/made/products.ts";
import { type Figures, scoreSet } from "./labelled-sets.ts";
import type { Service } from "./service.ts";

/** Pages that were made, scored by the tools of the labelled sets of their formats. */
export async function scoreMade(place: {
  readonly scrape: string;
  readonly tools: string;
}): Promise<Figures> {
  const data = mkdtempSync(join(tmpdir(), "pergamon-made-"));
  try {
    writeMenus(join(data, "menu"));
    writeProducts(join(data, "product"));
    const sets = [await scoreSet("menu", { ...place, data }), await scoreSet("product", { ...place, data })];
    return sets.flat().map(([name, value]) => [`made ${name}`, value]);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

function writeMenus(folder: string): void {
  mkdirSync(folder);
  for (const { name, html, expected } of makeMenus()) {
    writeFileSync(join(folder, `${name}.html`), html);
    writeFileSync(join(folder, `${name}.expected.json`), JSON.stringify(expected));
  }
}

function writeProducts(folder: string): void {
  mkdirSync(join(folder, "html"), { recursive: true });
  const pages = makeProducts();
  for (const { row, html } of pages) writeFileSync(join(folder, "html", `${row.id}.html.gz`), gzipSync(html));
  writeFileSync(join(folder, "index.json"), JSON.stringify(pages.map(({ row }) => row)));
}

/** Facts that a schema asks for, on made pages of events, jobs, recipes and contacts. */
export async function scoreMadeFacts(service: Service): Promise<Figures> {
  let [right, wrong, missing] = [0, 0, 0];
  for (const page of makeFacts()) {
    const properties = Object.fromEntries(Object.keys(page.truth).map((name) => [name, { type: "string" }]));
    const format = { type: "json", schema: { type: "object", properties } };
    const { data } = await service.scrapeHtml(page.id, page.html, { formats: [format] });
    const found = judge(page, (data.json ?? {}) as Readonly<Record<string, unknown>>);
    right += found.right;
    wrong += found.wrong;
    missing += found.missing;
  }
  return [
    ["made facts: F1", (2 * right) / Math.max(1, 2 * right + 2 * wrong + missing)],
    ["made facts: wrong values, %", (100 * wrong) / Math.max(1, right + wrong)],
  ];
}

/** How many values of a page are right, wrong and not there. */
export function judge({ truth }: MadeFactsPage, json: Readonly<Record<string, unknown>>) {
  let [right, wrong, missing] = [0, 0, 0];
  for (const [name, wanted] of Object.entries(truth)) {
    const value = json[name];
    if (typeof value !== "string" && typeof value !== "number") missing += 1;
    else if (wanted.some((want) => folded(want) === folded(String(value)))) right += 1;
    else wrong += 1;
  }
  return { right, wrong, missing };
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
