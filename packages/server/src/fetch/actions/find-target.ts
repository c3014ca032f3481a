import { findElements, isSelector } from "@pergamon-dev/browser/input/elements";
import type { ElementHandle } from "@pergamon-dev/browser/tab/page-script";
import { ActionFailure, type ActionTools } from "./action.ts";

/** @throws ActionFailure INVALID_SELECTOR when the text is not a CSS selector. */
export async function checkSelector(selector: string, { tab, signal }: ActionTools): Promise<void> {
  if (await isSelector(tab, selector, signal)) return;
  throw invalidSelector(selector);
}

export function invalidSelector(selector: string): ActionFailure {
  return new ActionFailure("INVALID_SELECTOR", `"${selector}" is not a valid CSS selector.`);
}

/** Elements that match the selector. Only the first, unless `all` is set. */
export async function findTargets(
  selector: string,
  all: boolean,
  tools: ActionTools,
): Promise<readonly ElementHandle[]> {
  await checkSelector(selector, tools);
  return findElements(tools.tab, selector, all, tools.signal);
}

/** @throws ActionFailure SELECTOR_NOT_FOUND when nothing matches. */
export async function findTarget(selector: string, tools: ActionTools): Promise<ElementHandle> {
  const [target] = await findTargets(selector, false, tools);
  if (target === undefined)
    throw new ActionFailure("SELECTOR_NOT_FOUND", `No element matches "${selector}".`);
  return target;
}
