import { z } from "zod";

import { limits } from "../../api/limits.ts";
import { parseKeyPress, pressKeys } from "@pergamon-dev/browser/input/keyboard";
import { ActionFailure, defineAction } from "./action.ts";

export const press = defineAction({
  options: z.object({
    type: z.literal("press"),
    key: z
      .string()
      .max(limits.selectorLength)
      .describe("Name of a key, such as Enter, or a combination, such as Control+A."),
  }),
  hasEffects: true,
  intervenes: true,
  async run({ key }, { tab, signal }) {
    const keys = parseKeyPress(key);
    if (!keys) throw unknownKey(key);
    await pressKeys(tab, keys, signal);
  },
});

export function unknownKey(key: string): ActionFailure {
  return new ActionFailure("UNKNOWN_KEY", `Unknown key: "${key}".`);
}
