import { setTimeout as sleep } from "node:timers/promises";

import { z } from "zod";

import { limits } from "../../api/limits.ts";
import { waitUntilVisible } from "@pergamon-dev/browser/input/elements";
import { ActionFailure, defineAction } from "./action.ts";
import { checkSelector } from "./find-target.ts";

const ONE_OF_BOTH = "Either 'milliseconds' or 'selector' must be provided, but not both.";

export const wait = defineAction({
  options: z
    .strictObject({
      type: z.literal("wait"),
      milliseconds: z.int().min(1).optional().describe("Milliseconds to wait."),
      selector: z
        .string()
        .max(limits.selectorLength)
        .optional()
        .describe("CSS selector of the element that must become visible."),
    })
    .refine(
      ({ milliseconds, selector }) => (milliseconds === undefined) !== (selector === undefined),
      ONE_OF_BOTH,
    ),
  hasEffects: false,
  async run({ milliseconds, selector = "" }, tools) {
    const { tab, signal } = tools;
    if (milliseconds !== undefined) return sleep(milliseconds, undefined, { signal });
    await checkSelector(selector, tools);
    if (await waitUntilVisible(tab, selector, limits.selectorWaitLimitMs, signal)) return;
    const seconds = limits.selectorWaitLimitMs / 1000;
    throw new ActionFailure("WAIT_TIMEOUT", `"${selector}" was not visible within ${seconds} seconds.`);
  },
});
