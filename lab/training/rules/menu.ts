import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type * as findMenuModule from "../../../src/facts/menu/find-menu.ts";
import type { MadeMenuPage } from "../made/menus.ts";
import type * as labelledPagesModule from "../product/labelled-pages.ts";
import type { Comparison, Rule } from "./rule.ts";
import { copySources } from "./switched-sources.ts";

interface Expected {
  readonly menu: boolean;
  /** What made the page; pages of one template count as one site. */
  readonly template?: string;
  readonly sections?: readonly {
    readonly name: string;
    readonly items: readonly { readonly name: string; readonly price: number }[];
  }[];
}

interface FoundMenu {
  readonly sections: readonly {
    readonly name: string;
    readonly items: readonly {
      readonly name: string;
      readonly price?: { readonly amount: number } | undefined;
    }[];
  }[];
}

const ENDING = ".expected.json";

/**
 * Rules of the menu format.
 * @param folders with pages and what is expected of them, each page a site of its own
 * @param made pages that were made, each layout a site
 */
export async function compareMenu(
  rules: readonly Rule[],
  folders: readonly string[],
  made: readonly MadeMenuPage[],
): Promise<readonly Comparison[]> {
  const sources = copySources("menu", rules);
  const { findMenu } = (await sources.load("src/facts/menu/find-menu.ts")) as typeof findMenuModule;
  const { openPage } = (await sources.load(
    "lab/training/product/labelled-pages.ts",
  )) as typeof labelledPagesModule;
  const pages = made.map(({ name, html, expected }) => ({
    name,
    html: () => html,
    expected: expected as Expected,
  }));
  return [...folders.flatMap(readMenus), ...pages].flatMap(({ name, html, expected }) => {
    const url = `https://${name}.example/menu`;
    const evidence = openPage({ url, html });
    const answer = (): number => shareRight(expected, findMenu(evidence(), url));
    const { answer: withRule, rules: met } = sources.watched(answer);
    return rules.map((rule) => ({
      rule: rule.name,
      site: expected.template ?? name,
      withRule,
      without: met.has(rule.name) ? sources.without(rule.name, answer) : withRule,
    }));
  });
}

function readMenus(folder: string) {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => {
      const name = file.slice(0, -ENDING.length);
      const expected = JSON.parse(readFileSync(join(folder, file), "utf8")) as Expected;
      return { name, expected, html: () => readFileSync(join(folder, `${name}.html`), "utf8") };
    });
}

/** F1 of items with their price in their section; of a page without a menu, whether none is found. */
function shareRight({ menu, sections = [] }: Expected, found: FoundMenu | undefined): number {
  if (!menu) return found ? 0 : 1;
  const wanted = keysOf(
    sections.map(({ name, items }) => ({ name, items: items.map((item) => [item.name, item.price]) })),
  );
  const got = keysOf(
    (found?.sections ?? []).map(({ name, items }) => ({
      name,
      items: items.map((item) => [item.name, item.price?.amount]),
    })),
  );
  const left = [...wanted];
  for (const key of got) {
    const at = left.indexOf(key);
    if (at >= 0) left.splice(at, 1);
  }
  const hits = wanted.length - left.length;
  return (2 * hits) / Math.max(1, wanted.length + got.length);
}

function keysOf(
  sections: readonly { readonly name: string; readonly items: readonly (readonly unknown[])[] }[],
): readonly string[] {
  return sections.flatMap(({ name, items }) => items.map((item) => [name, ...item].join("|")));
}
