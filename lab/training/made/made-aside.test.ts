import { expect, test } from "vitest";

import { FACT_LAYOUTS_ASIDE, makeFacts } from "./facts.ts";
import { PARTS_ASIDE } from "./goods-aside.ts";
import { LAYOUTS_ASIDE } from "./menu-layouts-aside.ts";
import { makeMenus } from "./menus.ts";
import { makeProducts } from "./products.ts";

test("pages that are kept aside share no page with those that rules were written beside, and are the same each time", () => {
  const known = [...makeMenus(), ...makeFacts(), ...makeProducts()].map(({ html }) => html);
  const make = () =>
    [...makeMenus(LAYOUTS_ASIDE), ...makeFacts(FACT_LAYOUTS_ASIDE), ...makeProducts(PARTS_ASIDE)].map(
      ({ html }) => html,
    );
  const aside = make();
  expect(aside).toStrictEqual(make());
  expect(aside).toHaveLength(60 + 200 + 80);
  expect(new Set([...known, ...aside]).size).toBe(new Set(known).size + new Set(aside).size);
});
