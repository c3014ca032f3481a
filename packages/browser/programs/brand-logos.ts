import type { LogoCandidate } from "../../facts/src/branding/evidence.ts";

const MAX_LOGOS = 40;
const MAX_TOP = 1000;
const MIN_SIZE = 8;
const MAX_WIDTH = 900;
/** Drawings with more source are none that anybody would use as a logo. */
const MAX_SVG_LENGTH = 50_000;
const MAX_ALT_LENGTH = 200;
/** An element with a background picture and more text than this is not a picture. */
const MAX_PAINTED_TEXT = 40;

/** One visible element. */
export interface Shown {
  readonly element: Element;
  readonly style: CSSStyleDeclaration;
  readonly box: DOMRect;
  readonly isInHeader: boolean;
}

/** Pictures near the top that may be the logo. */
export class Logos {
  readonly found: LogoCandidate[] = [];

  add(shown: Shown): void {
    const { element, box, isInHeader } = shown;
    const top = box.top + scrollY;
    const isTooSmall = box.width < MIN_SIZE || box.height < MIN_SIZE;
    if (top > MAX_TOP || isTooSmall || box.width > MAX_WIDTH || this.found.length >= MAX_LOGOS) return;
    const url = pictureOf(shown);
    if (url === undefined) return;
    const link = element.closest<HTMLAnchorElement>("a[href]");
    this.found.push({
      url,
      alt: altOf(element, link),
      isInHeader,
      linksHome: isHome(link),
      top,
      width: box.width,
    });
  }
}

/** An absolute URL; undefined where there is none. */
export function absoluteUrl(url: string | null | undefined): string | undefined {
  try {
    return url ? new URL(url, document.baseURI).href : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined where the element is not a picture. */
function pictureOf({ element, style, isInHeader }: Shown): string | undefined {
  if (element.tagName.toLowerCase() === "svg") return drawingOf(element);
  const painted = /url\("([^"]+)"\)/.exec(style.backgroundImage)?.[1];
  const isPainted = painted && isInHeader && (element.textContent ?? "").trim().length < MAX_PAINTED_TEXT;
  if (element.tagName !== "IMG" && !isPainted) return undefined;
  return absoluteUrl((element as HTMLImageElement).currentSrc || element.getAttribute("src") || painted);
}

function drawingOf(svg: Element): string | undefined {
  const source = svg.outerHTML;
  if (source.length >= MAX_SVG_LENGTH) return undefined;
  const isComplete = source.includes("xmlns=");
  const complete = isComplete ? source : source.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
  return `data:image/svg+xml,${encodeURIComponent(complete)}`;
}

function altOf(element: Element, link: Element | null): string {
  const alt =
    element.getAttribute("alt") ??
    element.getAttribute("aria-label") ??
    element.querySelector("title")?.textContent ??
    link?.getAttribute("aria-label") ??
    "";
  return alt.trim().slice(0, MAX_ALT_LENGTH);
}

/** Whether a link leads to the start of the site, perhaps in a language. */
function isHome(link: HTMLAnchorElement | null): boolean {
  if (!link?.href) return false;
  const url = new URL(link.href, document.baseURI);
  return url.origin === location.origin && url.pathname.length <= 4;
}
