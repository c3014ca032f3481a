import type { Aim } from "../src/input/elements.ts";

/** How often elements are looked for. A timer, not frames: a page in the background draws none. */
const POLL_MS = 50;

/**
 * Elements that match, in document order; then those in shadow roots and in frames of the same site; if there are none,
 * those to which the words of the selector lead through shadow roots: `my-dialog button`.
 */
export function findElements(selector: string, all: boolean): readonly Element[] {
  const found: Element[] = [];
  search(document, selector, { all, found });
  if (found.length === 0) searchThrough(document, selector.trim(), { all, found });
  return found;
}

/** Whether this is a CSS selector at all. */
export function isSelector(selector: string): boolean {
  try {
    document.querySelector(selector);
    return true;
  } catch {
    return false;
  }
}

/** Waits for an element that can be seen. @returns false when the time is over. */
export async function waitVisible(selector: string, limitMs: number): Promise<boolean> {
  const endMs = performance.now() + limitMs;
  while (!findElements(selector, true).some(isVisible)) {
    if (performance.now() > endMs) return false;
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
  return true;
}

/** Brings the element into view. @returns where its middle is in the outermost view, and whether it is on top there. */
export function aim(element: HTMLElement): Aim {
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0);
  if (!box || getComputedStyle(element).visibility !== "visible") return { isVisible: false };
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const hit = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(x, y);
  return { isVisible: true, isOnTop: isSame(element, hit), ...inOutermostView(element, x, y) };
}

export function clickByScript(element: HTMLElement): void {
  element.click();
}

interface Search {
  readonly all: boolean;
  readonly found: Element[];
}

function search(root: ParentNode, selector: string, { all, found }: Search): void {
  const first = root.querySelector(selector);
  found.push(...(all ? root.querySelectorAll(selector) : first ? [first] : []));
  for (const element of root.querySelectorAll("*")) {
    if (!all && found.length > 0) return;
    if (element.shadowRoot) search(element.shadowRoot, selector, { all, found });
    const inner = documentOf(element);
    if (inner) search(inner, selector, { all, found });
  }
}

/** A blank between two compounds, outside of brackets and strings. */
const DESCENDANT = /(?<![>+~,\s])\s+(?![>+~,\s])(?![^[\]]*\])(?![^()]*\))/g;
const MAX_SPLITS = 8;

/** Matches the beginning of the selector in this tree, and the rest in the shadow roots of what it matches. */
function searchThrough(root: ParentNode, selector: string, order: Search): void {
  if (selector.includes(",")) return;
  for (const { index, 0: blank } of [...selector.matchAll(DESCENDANT)].slice(0, MAX_SPLITS)) {
    const rest = selector.slice(index + blank.length);
    for (const host of root.querySelectorAll(selector.slice(0, index))) {
      if (!host.shadowRoot || (!order.all && order.found.length > 0)) continue;
      const inner: Search = { all: order.all, found: [] };
      search(host.shadowRoot, rest, inner);
      if (inner.found.length === 0) searchThrough(host.shadowRoot, rest, inner);
      order.found.push(...inner.found.filter((one) => !order.found.includes(one)));
    }
  }
}

/** The document of a frame of the same site. */
function documentOf(element: Element): Document | null | undefined {
  try {
    return (element as HTMLIFrameElement).contentDocument;
  } catch {
    return undefined;
  }
}

function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  const { visibility, display } = getComputedStyle(element);
  return width > 0 && height > 0 && visibility === "visible" && display !== "none";
}

/** Whether what lies at a point is the element, a part of it, what holds it, or its label. */
function isSame(element: HTMLElement, hit: Element | null): boolean {
  if (hit === null) return false;
  if (hit === element || element.contains(hit) || hit.contains(element)) return true;
  const { labels } = element as HTMLInputElement;
  return labels ? [...labels].some((label) => label.contains(hit)) : false;
}

function inOutermostView(element: Element, x: number, y: number): { readonly x: number; readonly y: number } {
  const place = { x, y };
  let view: Window | null = element.ownerDocument.defaultView;
  while (view?.frameElement) {
    const frame = view.frameElement.getBoundingClientRect();
    place.x += frame.x + view.frameElement.clientLeft;
    place.y += frame.y + view.frameElement.clientTop;
    view = view.parent;
  }
  return place;
}
