import { callInPage, callOnElement, type ElementHandle, findInPage, hasLeft } from "../tab/page-script.ts";
import type { BrowserTab } from "../tab/tab.ts";
import * as programs from "../programs/elements.ts";

/** The point at which a click hits an element. */
export interface Aim {
  readonly isVisible: boolean;
  /** False when something else, such as a notice, covers the element. */
  readonly isOnTop?: boolean;
  readonly x?: number;
  readonly y?: number;
}

/** Whether the text is a valid CSS selector. */
export async function isSelector(tab: BrowserTab, selector: string, signal: AbortSignal): Promise<boolean> {
  return callInPage(tab, programs.isSelector, [selector], signal);
}

/** Returns the elements that a valid selector matches; only the first, unless `all` are wanted. */
export async function findElements(
  tab: BrowserTab,
  selector: string,
  all: boolean,
  signal: AbortSignal,
): Promise<readonly ElementHandle[]> {
  return findInPage(tab, programs.findElements, [selector, all], signal);
}

/**
 * Waits until a matching element is visible, also across navigations. @returns false when the time is over.
 */
export async function waitUntilVisible(
  tab: BrowserTab,
  selector: string,
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    try {
      const remainingMs = Math.max(0, endMs - performance.now());
      return await callInPage<boolean>(tab, programs.waitVisible, [selector, remainingMs], signal);
    } catch (failure) {
      if (!hasLeft(failure) || performance.now() > endMs) throw failure;
    }
  }
}

/**
 * Scrolls the element into view and clicks it: with the mouse, or by script when something covers it.
 * @returns false when the element is not visible.
 */
export async function clickElement(
  tab: BrowserTab,
  element: ElementHandle,
  signal: AbortSignal,
): Promise<boolean> {
  const {
    isVisible,
    isOnTop,
    x = 0,
    y = 0,
  } = await callOnElement<Aim>(tab, element, { source: programs.aim }, signal);
  if (!isVisible) return false;
  if (isOnTop) await clickAt(tab, x, y, signal);
  else await callOnElement(tab, element, { source: programs.clickByScript }, signal);
  return true;
}

async function clickAt(tab: BrowserTab, x: number, y: number, signal: AbortSignal): Promise<void> {
  const { session } = tab;
  const button = { button: "left", clickCount: 1 } as const;
  await session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y }, { signal });
  await session.send(
    "Input.dispatchMouseEvent",
    { type: "mousePressed", x, y, buttons: 1, ...button },
    { signal },
  );
  await session.send("Input.dispatchMouseEvent", { type: "mouseReleased", x, y, ...button }, { signal });
}
