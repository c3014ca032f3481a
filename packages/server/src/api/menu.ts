import { z } from "zod";

import type { Immutable } from "./immutable.ts";
import { Availability, PictureAnswer, Price } from "./product.ts";

const OptionGroupAnswer = z.strictObject({
  name: z.string(),
  options: z.array(z.strictObject({ name: z.string(), price: Price.exactOptional() })),
});

const MenuItemAnswer = z.strictObject({
  id: z.string().describe("Section and position, such as s1.i2. Stable within the response."),
  name: z.string(),
  description: z.string().exactOptional(),
  images: z.array(PictureAnswer),
  price: Price.exactOptional(),
  availability: Availability,
  dietary: z.array(z.string()).describe("Such as vegan, vegetarian, gluten-free."),
  calories: z.number().min(0).exactOptional().describe("Kilocalories."),
  optionGroups: z.array(OptionGroupAnswer).describe("Options, such as sizes."),
  identifiers: z.strictObject({
    merchantItemId: z.string().exactOptional().describe("Identifier of the item in the restaurant's system."),
  }),
  sourceUrl: z.string().describe("URL of the page that lists the item."),
});

const MenuSectionAnswer = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().exactOptional(),
  items: z.array(MenuItemAnswer),
});

/** `menu` of a scrape (contract, section 3.13c). */
export const MenuAnswer = z
  .strictObject({
    isMenu: z.boolean(),
    confidence: z.number().min(0).max(1),
    merchant: z.strictObject({
      name: z.string().describe("Empty when the page does not state it."),
      type: z.string().exactOptional().describe("A schema.org type, such as Restaurant."),
      location: z.string().exactOptional(),
    }),
    currency: z.string().exactOptional().describe("ISO 4217 code. Present only when the page states it."),
    sections: z.array(MenuSectionAnswer),
    sourceUrl: z.string(),
  })
  .describe("The menu on the page. When the page has none, the field is absent and a warning is added.");
export type MenuAnswer = Immutable<z.output<typeof MenuAnswer>>;
