import { z } from "zod";

import { limits } from "../../api/limits.ts";
import { clickElement } from "@pergamon-dev/browser/input/elements";
import { hasLeft } from "@pergamon-dev/browser/tab/page-script";
import { ActionFailure, type ActionTools, defineAction } from "./action.ts";
import { findTarget, findTargets } from "./find-target.ts";

export const click = defineAction({
  options: z.object({
    type: z.literal("click"),
    selector: z.string().max(limits.selectorLength),
    all: z.boolean().default(false).describe("Click every match. Having no match is then not an error."),
  }),
  hasEffects: true,
  async run({ selector, all }, tools) {
    const { tab, signal } = tools;
    if (!all) return clickMatch(selector, tools);
    for (const target of await findTargets(selector, true, tools)) {
      try {
        await clickElement(tab, target, signal);
      } catch (failure) {
        // A click opened another page or removed the next match. The remaining matches are gone, too.
        if (!hasLeft(failure)) throw failure;
        return;
      }
    }
  },
});

/** Clicks the first matching element. @throws ActionFailure when there is none, or it is not visible. */
export async function clickMatch(selector: string, tools: ActionTools): Promise<void> {
  const target = await findTarget(selector, tools);
  if (await clickElement(tools.tab, target, tools.signal)) return;
  throw new ActionFailure("NOT_INTERACTABLE", `The element that matches "${selector}" is not visible.`);
}
