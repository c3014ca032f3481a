import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { FACT_LAYOUTS_ASIDE, makeFacts, type MadeFactsPage } from "../../training/made/facts.ts";
import { FACT_LAYOUTS_ABROAD, FACT_WORDS_ABROAD } from "../../training/made/facts-abroad.ts";
import { PARTS_ABROAD } from "../../training/made/goods-abroad.ts";
import { PARTS_ASIDE } from "../../training/made/goods-aside.ts";
import { LAYOUTS_ASIDE } from "../../training/made/menu-layouts-aside.ts";
import { type MadeMenuPage, makeMenus } from "../../training/made/menus.ts";
import { type MadeProductPage, makeProducts } from "../../training/made/products.ts";
import { labData } from "../../sets.ts";
import { type Figures, scoreSet } from "./labelled-sets.ts";
import type { Service } from "./service.ts";

const SEED_ASIDE = 9001;
const SEED_ABROAD = 12_001;

interface MadePages {
  readonly menus: readonly MadeMenuPage[];
  readonly products: readonly MadeProductPage[];
  readonly facts: readonly MadeFactsPage[];
}

/** What the names of figures begin with → pages: those that rules were written beside, and those that no rule knows. */
const MADE: Readonly<Record<string, () => MadePages>> = {
  made: () => ({ menus: makeMenus(), products: makeProducts(), facts: makeFacts() }),
  "kept-aside made": () => ({
    menus: makeMenus(LAYOUTS_ASIDE, SEED_ASIDE),
    products: makeProducts(PARTS_ASIDE),
    facts: makeFacts(FACT_LAYOUTS_ASIDE, SEED_ASIDE),
  }),
  "made abroad": () => ({
    menus: [],
    products: makeProducts(PARTS_ABROAD),
    facts: makeFacts(FACT_LAYOUTS_ABROAD, SEED_ABROAD, FACT_WORDS_ABROAD),
  }),
};

/** Pages that were made, scored by the tools of the labelled sets of their formats. */
export async function scoreMade(
  place: { readonly scrape: string; readonly tools: string },
  service: Service,
): Promise<Figures> {
  const figures: (readonly [string, number])[] = [];
  for (const [name, make] of Object.entries(MADE)) {
    const { menus, products, facts } = make();
    const found = [
      ...(labData() === "" ? [] : await scoreLabelled(place, { menus, products })),
      ...(await scoreMadeFacts(service, facts)),
    ];
    figures.push(...found.map(([figure, value]) => [`${name} ${figure}`, value] as const));
  }
  return figures;
}

async function scoreLabelled(
  place: { readonly scrape: string; readonly tools: string },
  { menus, products }: Pick<MadePages, "menus" | "products">,
): Promise<Figures> {
  const data = mkdtempSync(join(tmpdir(), "pergamon-made-"));
  try {
    writeMenus(join(data, "menu"), menus);
    writeProducts(join(data, "product"), products);
    const names = menus.length > 0 ? ["menu", "product"] : ["product"];
    const sets: Figures[] = [];
    for (const name of names) sets.push(await scoreSet(name, { ...place, data }));
    return sets.flat();
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

function writeMenus(folder: string, pages: readonly MadeMenuPage[]): void {
  mkdirSync(folder);
  for (const { name, html, expected } of pages) {
    writeFileSync(join(folder, `${name}.html`), html);
    writeFileSync(join(folder, `${name}.expected.json`), JSON.stringify(expected));
  }
}

function writeProducts(folder: string, pages: readonly MadeProductPage[]): void {
  mkdirSync(join(folder, "html"), { recursive: true });
  for (const { row, html } of pages) writeFileSync(join(folder, "html", `${row.id}.html.gz`), gzipSync(html));
  writeFileSync(join(folder, "index.json"), JSON.stringify(pages.map(({ row }) => row)));
}

/** Facts that a schema asks for, on made pages of events, jobs, recipes and contacts. */
async function scoreMadeFacts(service: Service, pages: readonly MadeFactsPage[]): Promise<Figures> {
  let [right, wrong, missing] = [0, 0, 0];
  for (const page of pages) {
    const properties = Object.fromEntries(Object.keys(page.truth).map((name) => [name, { type: "string" }]));
    const format = { type: "json", schema: { type: "object", properties } };
    const { data } = await service.scrapeHtml(page.id, page.html, { formats: [format] });
    const found = judge(page, (data.json ?? {}) as Readonly<Record<string, unknown>>);
    right += found.right;
    wrong += found.wrong;
    missing += found.missing;
  }
  return [
    ["facts: F1", (2 * right) / Math.max(1, 2 * right + 2 * wrong + missing)],
    ["facts: wrong values, %", (100 * wrong) / Math.max(1, right + wrong)],
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
