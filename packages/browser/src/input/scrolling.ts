import { callInPage, callOnElement, type ElementHandle } from "../tab/page-script.ts";
import type { BrowserTab } from "../tab/tab.ts";
import * as programs from "../programs/scrolling.ts";

/** Down is 1, up is -1. */
type ScrollDirection = 1 | -1;

export async function scrollPage(
  tab: BrowserTab,
  direction: ScrollDirection,
  signal: AbortSignal,
): Promise<void> {
  await callInPage(tab, programs.scrollPage, [direction], signal);
}

export async function scrollElement(
  tab: BrowserTab,
  element: ElementHandle,
  direction: ScrollDirection,
  signal: AbortSignal,
): Promise<void> {
  await callOnElement(tab, element, { source: programs.scrollElement, args: [direction] }, signal);
}
