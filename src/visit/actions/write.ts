import { z } from "zod";

import { limits } from "../../contract/limits.ts";
import { typeText } from "../../platform/browser/input/keyboard.ts";
import { defineAction } from "./action.ts";

export const write = defineAction({
  options: z.object({
    type: z.literal("write"),
    text: z.string().max(limits.typedTextLength).describe("Text to type into the focused element."),
  }),
  hasEffects: true,
  intervenes: true,
  run: ({ text }, { tab, signal }) => typeText(tab, text, signal),
});
