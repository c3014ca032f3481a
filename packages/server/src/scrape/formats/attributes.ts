import { z } from "zod";

import { AttributeValues } from "../../api/answer.ts";
import { limits } from "../../api/limits.ts";
import { NOT_DECODED } from "./coverage.ts";
import { defineFormat } from "./format.ts";

const WantedAttribute = z.object({
  selector: z.string().max(limits.selectorLength).describe("CSS selector of the elements."),
  attribute: z
    .string()
    .max(limits.selectorLength)
    .describe("Attribute to read. When it is missing, its `data-` form is read."),
});

export const attributes = defineFormat({
  options: z
    .strictObject({
      type: z.literal("attributes"),
      selectors: z.array(WantedAttribute).max(limits.selectors.count),
    })
    .describe("Values of chosen attributes on all elements that match a selector."),
  examples: [{ type: "attributes", selectors: [{ selector: "a", attribute: "href" }] }],
  answer: {
    attributes: z
      .array(AttributeValues)
      .describe("One entry per requested selector, in the requested order."),
  },
  coverage: NOT_DECODED,
  async produce(page, { selectors }) {
    return { attributes: await page.attributes(selectors) };
  },
});
