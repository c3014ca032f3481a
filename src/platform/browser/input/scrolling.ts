import { callInPage, callOnElement, type ElementHandle } from "../tab/page-script.ts";
import type { BrowserTab } from "../tab/tab.ts";

/** By one height of the viewport. Where the page itself does not scroll, the element in its middle that does. */
const SCROLL_PAGE = `async (direction) => {
  const page = document.scrollingElement || document.documentElement;
  const scrolls = (element) => element.scrollHeight > element.clientHeight + 1 &&
    /auto|scroll|overlay/.test(getComputedStyle(element).overflowY);
  let target = page;
  if (page.scrollHeight <= innerHeight + 1) {
    let element = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
    while (element && !scrolls(element)) element = element.parentElement;
    target = element || page;
  }
  const height = target === page ? innerHeight : target.clientHeight;
  target.scrollBy({ top: direction * height, left: 0, behavior: "instant" });
}`;

/** The element's own box by its height; an element that does not scroll is brought into view. */
const SCROLL_ELEMENT = `function (direction) {
  const canScroll = this.scrollHeight > this.clientHeight + 1 &&
    /auto|scroll|overlay/.test(getComputedStyle(this).overflowY);
  if (canScroll) this.scrollBy({ top: direction * this.clientHeight, left: 0, behavior: "instant" });
  else this.scrollIntoView({ block: direction > 0 ? "start" : "end", behavior: "instant" });
}`;

/** Down is 1, up is -1. */
export type ScrollDirection = 1 | -1;

export async function scrollPage(
  tab: BrowserTab,
  direction: ScrollDirection,
  signal: AbortSignal,
): Promise<void> {
  await callInPage(tab, SCROLL_PAGE, [direction], signal);
}

export async function scrollElement(
  tab: BrowserTab,
  element: ElementHandle,
  direction: ScrollDirection,
  signal: AbortSignal,
): Promise<void> {
  await callOnElement(tab, element, `function () { (${SCROLL_ELEMENT}).call(this, ${direction}); }`, signal);
}
