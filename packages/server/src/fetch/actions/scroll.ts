import { z } from "zod";

import { limits } from "../../api/limits.ts";
import { scrollElement, scrollPage } from "@pergamon-dev/browser/input/scrolling";
import { defineAction } from "./action.ts";
import { findTarget } from "./find-target.ts";

export const scroll = defineAction({
  options: z.object({
    type: z.literal("scroll"),
    direction: z.enum(["up", "down"]).default("down"),
    selector: z
      .string()
      .max(limits.selectorLength)
      .optional()
      .describe("Scrolls this element instead of the page."),
  }),
  hasEffects: true,
  async run({ direction, selector }, tools) {
    const { tab, signal } = tools;
    const sign = direction === "down" ? 1 : -1;
    if (selector === undefined) await scrollPage(tab, sign, signal);
    else await scrollElement(tab, await findTarget(selector, tools), sign, signal);
  },
});
