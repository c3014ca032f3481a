import { callInPage, callOnElement, type ElementHandle, findInPage, hasLeft } from "../tab/page-script.ts";
import type { BrowserTab } from "../tab/tab.ts";

/** Elements that match, in document order; then those in shadow roots and in frames of the same site. */
const FIND = `(selector, all) => {
  const found = [];
  const search = (root) => {
    found.push(...(all ? root.querySelectorAll(selector) : [root.querySelector(selector)].filter(Boolean)));
    if (!all && found.length > 0) return;
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) search(element.shadowRoot);
      let inner;
      try { inner = element.contentDocument; } catch {}
      if (inner) search(inner);
      if (!all && found.length > 0) return;
    }
  };
  search(document);
  return found;
}`;

const IS_VALID = `(selector) => { try { document.querySelector(selector); return true; } catch { return false; } }`;

/** Waits for an element that can be seen. Timers, not frames: a page in the background draws none. */
const WAIT_VISIBLE = `async (selector, limitMs) => {
  const find = ${FIND};
  const isVisible = (element) => {
    const { width, height } = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return width > 0 && height > 0 && style.visibility === "visible" && style.display !== "none";
  };
  const end = performance.now() + limitMs;
  while (!find(selector, true).some(isVisible)) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}`;

/** Brings the element into view and tells where its middle is, in its own frame, and whether that is what lies there. */
const AIM = `function () {
  this.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = [...this.getClientRects()].find(({ width, height }) => width > 0 && height > 0);
  if (!box || getComputedStyle(this).visibility !== "visible") return { isVisible: false };
  let x = box.x + box.width / 2;
  let y = box.y + box.height / 2;
  const hit = this.getRootNode().elementFromPoint(x, y);
  const isOnTop = hit !== null && (hit === this || this.contains(hit) || hit.contains(this) ||
    (this.labels && [...this.labels].some((label) => label.contains(hit))));
  for (let view = this.ownerDocument.defaultView; view.frameElement; view = view.parent) {
    const frame = view.frameElement.getBoundingClientRect();
    x += frame.x + view.frameElement.clientLeft;
    y += frame.y + view.frameElement.clientTop;
  }
  return { isVisible: true, isOnTop, x, y };
}`;

const CLICK_BY_SCRIPT = "function () { this.click(); }";

interface Aim {
  readonly isVisible: boolean;
  /** False when something else, such as a notice, lies over the element. */
  readonly isOnTop?: boolean;
  readonly x?: number;
  readonly y?: number;
}

/** Whether this is a CSS selector at all. */
export async function isSelector(tab: BrowserTab, selector: string, signal: AbortSignal): Promise<boolean> {
  return callInPage(tab, IS_VALID, [selector], signal);
}

/** The elements that a valid selector matches; only the first, unless `all` are wanted. */
export async function findElements(
  tab: BrowserTab,
  selector: string,
  all: boolean,
  signal: AbortSignal,
): Promise<readonly ElementHandle[]> {
  return findInPage(tab, FIND, [selector, all], signal);
}

/** Waits until an element that matches can be seen, also over navigations. @returns false when the time is over. */
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
      return await callInPage<boolean>(tab, WAIT_VISIBLE, [selector, remainingMs], signal);
    } catch (failure) {
      if (!hasLeft(failure) || performance.now() > endMs) throw failure;
    }
  }
}

/**
 * Scrolls the element into view and clicks it: with the mouse where it can be hit, by script where something lies over
 * it. @returns false when the element cannot be seen.
 */
export async function clickElement(
  tab: BrowserTab,
  element: ElementHandle,
  signal: AbortSignal,
): Promise<boolean> {
  const { isVisible, isOnTop, x = 0, y = 0 } = await callOnElement<Aim>(tab, element, AIM, signal);
  if (!isVisible) return false;
  if (isOnTop) await clickAt(tab, x, y, signal);
  else await callOnElement(tab, element, CLICK_BY_SCRIPT, signal);
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
