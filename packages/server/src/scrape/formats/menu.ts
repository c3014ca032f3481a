import { z } from "zod";

import type { Menu, MenuItem, MenuSection } from "@pergamon-dev/facts/menu/menu";
import { hasPrices, listedSections, MENU_SCHEMA } from "@pergamon-dev/facts/menu/listed-menu";
import { MenuAnswer } from "../../api/menu.ts";
import type { Page } from "../page/page.ts";
import { defined } from "@pergamon-dev/kit/defined";
import { NOT_DECODED } from "./coverage.ts";
import { defineFormat, type FormatTools } from "./format.ts";
import { jsonByModel } from "./json-by-model.ts";
import { chunkLimits } from "./long-page.ts";
import { priceAnswer } from "./price-answer.ts";

const NONE = "No menu found on this page; it does not appear to be a menu page.";

/** Confidence in a menu that rules did not find. */
const UNSURE = 0.6;

type SectionAnswer = MenuAnswer["sections"][number];

export const menu = defineFormat({
  options: z.strictObject({ type: z.literal("menu") }).describe("The menu of a restaurant page."),
  answer: { menu: MenuAnswer },
  coverage: NOT_DECODED,
  async produce(page, _options, tools) {
    const found = (await page.menu(page.capture.url)) ?? (await lastResort(page, tools));
    if (!found) {
      tools.warn(NONE);
      return {};
    }
    return { menu: answerOf(found, page.capture.url) };
  },
});

/** Asks a model when rules find no menu. Text with fewer than two numbers has too few prices for a menu. */
async function lastResort(page: Page, { model, answeredBy }: FormatTools): Promise<Menu | undefined> {
  const chunks = model && (await page.chunks(chunkLimits(model, 1), "menu"));
  if (!chunks || (chunks.chunks.join().match(/\d+/g) ?? []).length < 2) return undefined;
  const source = { ...chunks, url: page.capture.url, hint: undefined };
  const told = await jsonByModel({ schema: MENU_SCHEMA, prompt: undefined }, source, model);
  const sections = listedSections(told?.value);
  if (!told || !hasPrices(sections)) return undefined;
  answeredBy(told.model);
  const currency = sections.flatMap(({ items }) => items.flatMap(({ price }) => price?.currency ?? []))[0];
  return { confidence: UNSURE, merchant: await page.merchant(), currency, sections };
}

function answerOf({ confidence, merchant, currency, sections }: Menu, sourceUrl: string): MenuAnswer {
  return {
    isMenu: true,
    confidence,
    merchant: defined(merchant),
    ...defined({ currency }),
    sections: sections.map((section, index) => sectionOf(section, `s${index + 1}`, sourceUrl)),
    sourceUrl,
  };
}

function sectionOf({ name, description, items }: MenuSection, id: string, sourceUrl: string): SectionAnswer {
  return {
    id,
    name,
    ...defined({ description }),
    items: items.map((item, index) => itemOf(item, `${id}.i${index + 1}`, sourceUrl)),
  };
}

function itemOf(item: MenuItem, id: string, sourceUrl: string): SectionAnswer["items"][number] {
  const { name, description, price, inStock, dietary, calories, optionGroups, merchantItemId, images } = item;
  return {
    id,
    name,
    ...defined({ description, calories, price: price && priceAnswer(price) }),
    images: images.map(defined),
    availability: { inStock },
    dietary,
    optionGroups: optionGroups.map((group) => ({
      name: group.name,
      options: group.options.map((option) => ({
        name: option.name,
        ...defined({ price: option.price && priceAnswer(option.price) }),
      })),
    })),
    identifiers: defined({ merchantItemId }),
    sourceUrl,
  };
}
