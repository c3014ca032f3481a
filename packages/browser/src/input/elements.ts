import { setTimeout as sleep } from "node:timers/promises";

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
 * Scrolls the element into view and clicks it: with mouse or finger, or by script when something covers it.
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

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Steps of the pointer on its way to an element, of this many milliseconds each. */
const STEPS = 8;
const STEP_MS = 6;
const HOLD_MS = 40;
/** Of a mouse button, and of a finger: half of the greatest. */
const PRESSURE = 0.5;

/** Clicks as a hand does: the pointer comes from somewhere, slows down, and holds the button for a moment. */
async function clickAt(tab: BrowserTab, x: number, y: number, signal: AbortSignal): Promise<void> {
  const { session } = tab;
  const target = { x: Math.round(x), y: Math.round(y) };
  if (tab.isTouched) return tapAt(tab, target, signal);
  for (const at of wayTo(target, tab.pointer)) {
    // The answers would come frame by frame.
    session.post("Input.dispatchMouseEvent", { type: "mouseMoved", ...at });
    await sleep(STEP_MS, undefined, { signal });
  }
  tab.pointer = target;
  const button = { ...target, button: "left", clickCount: 1 } as const;
  const press = { type: "mousePressed", buttons: 1, force: PRESSURE, ...button } as const;
  await session.send("Input.dispatchMouseEvent", press, { signal });
  await sleep(HOLD_MS, undefined, { signal });
  await session.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...button }, { signal });
}

function wayTo({ x, y }: Point, from: Point | undefined): readonly Point[] {
  const start = from ?? { x: x - 60 - Math.random() * 80, y: y + 40 + Math.random() * 60 };
  return Array.from({ length: STEPS }, (_, step) => {
    const left = (1 - (step + 1) / STEPS) ** 2;
    const along = (end: number, begin: number) => Math.max(0, Math.round(end + (begin - end) * left));
    return { x: along(x, start.x), y: along(y, start.y) };
  });
}

async function tapAt({ session }: BrowserTab, point: Point, signal: AbortSignal): Promise<void> {
  const touchPoints = [{ ...point, force: PRESSURE, radiusX: 11, radiusY: 11 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints }, { signal });
  await sleep(HOLD_MS, undefined, { signal });
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] }, { signal });
}
