import { z } from "zod";

import type { Menu, MenuSection } from "../../facts/menu/menu.ts";
import { verifyMenu } from "../../facts/menu/verify-menu.ts";
import type { Page } from "../../page/page.ts";
import type { Checked } from "../../platform/models/ask-endpoint.ts";
import { SCHEMA, SYSTEM, userText, VERSION } from "../prompts/menu.ts";
import type { Ask } from "./ask.ts";

const Text = z.string().max(2000);
const Item = z.object({ name: Text.min(1), description: Text.nullish(), price: Text.nullish() });
const Section = z.object({ name: Text, items: z.array(Item).max(1000) });
const Reply = z.object({ isMenu: z.boolean(), sections: z.array(Section).max(200).default([]) });

/** How sure a menu is that rules did not find. */
const CONFIDENCE = 0.6;

/** A menu has at least two prices: with fewer lines with a digit, no model is asked. */
const FEWEST_FIGURES = 2;

/** The menu of a page on which rules found none. Undefined where the model finds none either. */
export async function menuByModel(
  page: Page,
  model: Ask,
): Promise<{ readonly menu: Menu; readonly model: string } | undefined> {
  const { lines } = await page.reading(model.maxTokens);
  const text = lines.map((line) => line.text).join("\n");
  if ((text.match(/\d+/g) ?? []).length < FEWEST_FIGURES) return undefined;
  const hint = await page.menuHint();
  const answered = await model.ask({
    key: ["menu", text, hint],
    version: VERSION,
    system: SYSTEM,
    user: userText(text, hint),
    schema: SCHEMA,
    check: checker(text),
  });
  const sections = answered ? (JSON.parse(answered.answer) as readonly MenuSection[]) : [];
  if (!answered || sections.length === 0) return undefined;
  const prices = sections.flatMap(({ items }) => items.flatMap(({ price }) => price ?? []));
  const currency = prices.find((price) => price.currency !== undefined)?.currency;
  const { merchant } = hint;
  return { menu: { confidence: CONFIDENCE, merchant, currency, sections }, model: answered.model };
}

/** What is not on the page is asked about again once, then left out. */
function checker(page: string): (value: unknown) => Checked<string> {
  let isAskedAgain = false;
  return (value) => {
    const reply = Reply.safeParse(value).data;
    if (!reply) return { problem: "The fields `isMenu` and `sections` are missing." };
    if (!reply.isMenu) return { answer: "[]" };
    const { sections, invented } = verifyMenu(reply.sections, page);
    if (invented.length > 0 && !isAskedAgain) {
      isAskedAgain = true;
      return { problem: `The page does not say: ${invented.slice(0, 5).join(", ").slice(0, 300)}.` };
    }
    return sections.length === 0
      ? { problem: "The menu needs at least two dishes with prices from the page." }
      : { answer: JSON.stringify(sections) };
  };
}
