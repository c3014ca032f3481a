/** Down is 1, up is -1. */
type Direction = 1 | -1;

/** Scrolls by one height of the viewport. Where the page itself does not scroll, the element in its middle that does. */
export function scrollPage(direction: Direction): void {
  const page = document.scrollingElement ?? document.documentElement;
  const target = page.scrollHeight <= innerHeight + 1 ? (scrollableInMiddle() ?? page) : page;
  const height = target === page ? innerHeight : target.clientHeight;
  target.scrollBy({ top: direction * height, left: 0, behavior: "instant" });
}

/** Scrolls the element's own box by its height; an element that does not scroll is brought into view. */
export function scrollElement(element: Element, direction: Direction): void {
  if (canScroll(element))
    element.scrollBy({ top: direction * element.clientHeight, left: 0, behavior: "instant" });
  else element.scrollIntoView({ block: direction > 0 ? "start" : "end", behavior: "instant" });
}

function scrollableInMiddle(): Element | null {
  let element = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  while (element && !canScroll(element)) element = element.parentElement;
  return element;
}

function canScroll(element: Element): boolean {
  const isTaller = element.scrollHeight > element.clientHeight + 1;
  return isTaller && /auto|scroll|overlay/.test(getComputedStyle(element).overflowY);
}
