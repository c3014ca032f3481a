import { type Color, DARK, isPainted, over, type Palette, WHITE } from "./brand-colors.ts";

const MAX_HEADER_HEIGHT = 200;
/** Share of the viewport's width. */
const MIN_HEADER_WIDTH = 0.8;

/** The parts of the page by which its elements are judged. */
export interface Frame {
  readonly header: Element | undefined;
  readonly footer: Element | undefined;
  /** What the page itself paints; undefined where it paints nothing. */
  readonly paint: Color | undefined;
  /** What is behind everything. */
  readonly base: Color;
}

export function readFrame(palette: Palette): Frame {
  const roots = [document.documentElement, document.body].filter(Boolean);
  const styles = roots.map((element) => getComputedStyle(element));
  const colors = styles.map((style) => palette.read(style.backgroundColor));
  const paint = colors.findLast(isPainted) ?? palette.gradientOf(styles.at(-1));
  const ground = prefersDark(styles[0]) ? DARK : WHITE;
  return {
    header: document.querySelector("header, [role=banner]") ?? topBar(),
    footer: [...document.querySelectorAll("footer, [role=contentinfo]")].at(-1),
    paint,
    base: paint ? over(paint, WHITE) : ground,
  };
}

/** Whether the element floats above the page and is not its header: consent notices, chats. */
export function isFloating(
  element: Element,
  style: CSSStyleDeclaration,
  { header, maxText }: { readonly header: Element | undefined; readonly maxText: number },
): boolean {
  if (!isLifted(element, style) || (element.textContent ?? "").length > maxText) return false;
  const box = element.getBoundingClientRect();
  const isBar = box.top <= 8 && box.width >= innerWidth * MIN_HEADER_WIDTH && box.height <= MAX_HEADER_HEIGHT;
  const holdsHeader = header !== undefined && element.contains(header);
  return !(isBar && (holdsHeader || element.querySelector("nav") !== null));
}

export function metaContent(name: string): string | undefined {
  const meta = document.querySelector(`meta[property="${name}"], meta[name="${name}"]`);
  return meta?.getAttribute("content")?.trim() || undefined;
}

/** Undefined for what is not there or has no height. */
export function heightOf(element: Element | undefined): number | undefined {
  const height = element ? Math.round(element.getBoundingClientRect().height) : 0;
  return height > 0 ? height : undefined;
}

function isLifted(element: Element, { position, bottom, top }: CSSStyleDeclaration): boolean {
  if (position === "fixed" || (position === "sticky" && bottom !== "auto" && top === "auto")) return true;
  const isDialog = /^(dialog|alertdialog)$/.test(element.getAttribute("role") ?? "");
  return isDialog || element.getAttribute("aria-modal") === "true";
}

/** The element across the top of a page that names no header. */
function topBar(): Element | undefined {
  return [...(document.body?.children ?? [])].find((element) => {
    const { height, top, width } = element.getBoundingClientRect();
    const isFlat = height > 0 && height < MAX_HEADER_HEIGHT;
    return isFlat && top + scrollY < 5 && width > innerWidth * MIN_HEADER_WIDTH;
  });
}

function prefersDark(style: CSSStyleDeclaration | undefined): boolean {
  const scheme = style?.colorScheme ?? "";
  return /\bdark\b/.test(scheme) && !/light/.test(scheme);
}
