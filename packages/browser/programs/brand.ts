import type { BrandEvidence, Surface, BrandTextStyle, Weighted } from "../../facts/src/branding/evidence.ts";
import { type Color, hex, isPainted, over, Palette } from "./brand-colors.ts";
import { ElementLooks } from "./brand-element.ts";
import { absoluteUrl, Logos } from "./brand-logos.ts";
import { type Frame, heightOf, isFloating, metaContent, readFrame } from "./brand-page.ts";
import { Sums } from "./brand-sums.ts";

const SKIPPED = /^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE|IFRAME|OBJECT|EMBED|HEAD|LINK|META|OPTION)$/;
const MIN_OPACITY = 0.1;

/** An element that is still to be looked at. */
interface Waiting {
  readonly element: Element;
  readonly behind: Color;
  readonly isInHeader: boolean;
  readonly parentColor: string | undefined;
}

/**
 * Collects how the page looks in one pass, without changing it. Frames, and what floats above the page (consent notices,
 * chats), are not the page's own look. Names of classes are not read.
 * @param maxElements how many elements are looked at, shadow roots included.
 */
export function collectBrand(maxElements: number): BrandEvidence {
  const palette = new Palette();
  const frame = readFrame(palette);
  const walk = new Walk(palette, frame);
  walk.run(maxElements);
  return evidenceOf(walk, frame);
}

class Walk {
  readonly sums = new Sums();
  readonly logos = new Logos();
  readonly looks: ElementLooks;
  readonly #palette: Palette;
  readonly #frame: Frame;
  readonly #maxFloatingText = (document.body?.textContent?.length ?? 0) / 2;
  readonly #stack: Waiting[] = [];

  constructor(palette: Palette, frame: Frame) {
    this.#palette = palette;
    this.#frame = frame;
    this.looks = new ElementLooks(this.sums, palette);
  }

  run(maxElements: number): void {
    const start = { behind: this.#frame.base, isInHeader: false, parentColor: undefined };
    if (document.body) this.#stack.push({ element: document.body, ...start });
    let seen = 0;
    for (let next = this.#stack.pop(); next && seen < maxElements; next = this.#stack.pop()) {
      if (SKIPPED.test(next.element.tagName)) continue;
      seen += 1;
      this.#look(next);
    }
  }

  #look(waiting: Waiting): void {
    const { element, behind } = waiting;
    const style = getComputedStyle(element);
    if (style.display === "none" || Number(style.opacity) < MIN_OPACITY) return;
    const limits = { header: this.#frame.header, maxText: this.#maxFloatingText };
    if (element !== document.body && isFloating(element, style, limits)) return;
    const box = element.getBoundingClientRect();
    const isSvg = element.tagName.toLowerCase() === "svg";
    const isInHeader = waiting.isInHeader || element === this.#frame.header;
    const isSeen = isVisible(style, box);
    const paint = isSeen ? this.#paintOf(style, behind) : undefined;
    const ground = paint?.own ?? behind;
    const shown = { element, style, box, isInHeader };
    if (isSeen) this.logos.add(shown);
    if (isSvg) return;
    if (paint) this.looks.add({ ...shown, ...paint, ground, parentColor: waiting.parentColor });
    const parentColor = isSeen ? hex(over(this.#palette.read(style.color), ground)) : waiting.parentColor;
    this.#pushChildren(element, { behind: ground, isInHeader, parentColor });
  }

  #paintOf(style: CSSStyleDeclaration, behind: Color) {
    const plain = this.#palette.read(style.backgroundColor);
    const gradient = isPainted(plain) ? undefined : this.#palette.gradientOf(style);
    const color = isPainted(plain) ? plain : gradient;
    return { own: color && over(color, behind), isGradient: gradient !== undefined };
  }

  /** The first child comes off the stack first. */
  #pushChildren(element: Element, inherited: Omit<Waiting, "element">): void {
    const children = [...(element.shadowRoot?.children ?? []), ...element.children];
    for (const child of children.toReversed()) this.#stack.push({ element: child, ...inherited });
  }
}

function isVisible(style: CSSStyleDeclaration, box: DOMRect): boolean {
  const hasSize = box.width > 0 && box.height > 0;
  return hasSize && style.visibility === "visible" && box.right > 0 && box.left < innerWidth;
}

function evidenceOf({ sums, logos, looks }: Walk, { header, footer, paint, base }: Frame): BrandEvidence {
  const icon =
    document.querySelector("link[rel~=icon]") ?? document.querySelector("link[rel=apple-touch-icon]");
  return withoutUndefined({
    viewport: { width: innerWidth, height: innerHeight },
    pageHeight: document.documentElement.scrollHeight,
    rootColor: paint && hex(base),
    surfaces: sums.list("surfaces", 200) as readonly Surface[],
    texts: sums.list("texts", 500) as readonly BrandTextStyle[],
    badges: sums.list("badges", 50) as readonly Weighted[],
    distances: sums.list("distances", 200) as readonly Weighted<number>[],
    contentWidths: sums.list("contentWidths", 50) as readonly Weighted[],
    buttons: looks.buttons,
    inputs: looks.inputs,
    grids: looks.grids,
    logos: logos.found,
    headerHeight: heightOf(header),
    footerHeight: heightOf(footer),
    favicon: absoluteUrl(icon?.getAttribute("href")),
    socialImage: absoluteUrl(metaContent("og:image") ?? metaContent("twitter:image")),
    siteName: metaContent("og:site_name"),
  });
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Members that are undefined do not cross the border of the page. */
function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Defined<T>;
}
