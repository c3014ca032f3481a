import { describe, expect, test } from "vitest";

import { findMenu } from "../src/facts/menu/find-menu.ts";
import { makeMenus } from "../training/made/menus.ts";
import { openPage } from "../training/product/labelled-pages.ts";

interface Card {
  readonly sections: readonly {
    readonly name: string;
    readonly items: readonly { readonly name: string; readonly price: number }[];
  }[];
}

const keysOf = ({ sections }: Card) =>
  sections.flatMap(({ name, items }) => items.map((item) => `${name}|${item.name}|${item.price}`));

describe("made pages", () => {
  test("of sixty restaurants, nine tenths of the dishes have their price and section", () => {
    const pages = makeMenus();
    let [hits, all] = [0, 0];
    for (const { name, html, expected } of pages) {
      const url = `https://${name}.test/card`;
      const menu = findMenu(openPage({ url, html: () => html })(), url);
      const found = (menu?.sections ?? []).flatMap((section) =>
        section.items.map((item) => `${section.name}|${item.name}|${item.price?.amount}`),
      );
      const wanted = new Set(keysOf(expected as Card));
      hits += found.filter((key) => wanted.has(key)).length;
      all += wanted.size + found.length;
    }
    expect(pages).toHaveLength(60);
    expect((2 * hits) / all).toBeGreaterThan(0.9);
  });
});
