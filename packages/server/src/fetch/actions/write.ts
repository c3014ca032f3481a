import { z } from "zod";

import { limits } from "../../api/limits.ts";
import { typeText } from "@pergamon-dev/browser/input/keyboard";
import { defineAction } from "./action.ts";
import { clickMatch } from "./click.ts";

export const write = defineAction({
  options: z.object({
    type: z.literal("write"),
    text: z.string().max(limits.typedTextLength).describe("Text to type into the focused element."),
    selector: z
      .string()
      .max(limits.selectorLength)
      .optional()
      .describe("Click the element that matches this selector first, so that it has the focus."),
  }),
  hasEffects: true,
  intervenes: true,
  async run({ text, selector }, tools) {
    if (selector !== undefined) await clickMatch(selector, tools);
    await typeText(tools.tab, text, tools.signal);
  },
});
