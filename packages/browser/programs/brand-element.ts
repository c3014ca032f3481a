import type { ButtonStyle, InputStyle, TextUse } from "../../facts/src/branding/evidence.ts";
import { chroma, type Color, hex, isPainted, over, type Palette } from "./brand-colors.ts";
import type { Shown } from "./brand-logos.ts";
import type { Sums } from "./brand-sums.ts";

const USES: Readonly<Record<string, TextUse>> = {
  H1: "h1",
  H2: "h2",
  H3: "h3",
  P: "prose",
  LI: "prose",
  TD: "prose",
  BLOCKQUOTE: "prose",
  CODE: "code",
  PRE: "code",
  KBD: "code",
  SAMP: "code",
};
const DISTANCES = ["paddingTop", "paddingLeft", "marginTop", "marginBottom", "rowGap", "columnGap"] as const;
const MAX_DISTANCE = 128;
const MAX_SURFACE_HEIGHT = 4000;
const MIN_CONTENT_WIDTH = 480;
const MAX_BUTTONS = 100;
const MAX_INPUTS = 20;
const MAX_GRIDS = 50;

/** One visible element with what it is painted on. */
export interface Painted extends Shown {
  /** What is behind its text. */
  readonly ground: Color;
  /** What it paints itself. */
  readonly own: Color | undefined;
  readonly isGradient: boolean;
  /** Colour of the text that it is in. */
  readonly parentColor: string | undefined;
}

/** Adds what elements tell to the lists of evidence. */
export class ElementLooks {
  readonly buttons: ButtonStyle[] = [];
  readonly inputs: InputStyle[] = [];
  readonly grids: { readonly columns: number; readonly gap: string }[] = [];
  readonly #sums: Sums;
  readonly #palette: Palette;

  constructor(sums: Sums, palette: Palette) {
    this.#sums = sums;
    this.#palette = palette;
  }

  add(painted: Painted): void {
    this.#addSurface(painted);
    if (painted.style.display !== "inline") this.#addLayout(painted);
    const letters = lettersOf(painted.element);
    if (this.#addButton(painted, letters) || this.#addInput(painted) || letters === 0) return;
    if (!this.#addBadge(painted, letters)) this.#addText(painted, letters);
  }

  #addSurface({ element, box, own, isGradient }: Painted): void {
    if (!own) return;
    const use = useOf(element);
    const value = Math.round(box.width * Math.min(box.height, MAX_SURFACE_HEIGHT));
    const surface = { color: hex(own), kind: isGradient ? "gradient" : "color", isCode: use === "code" };
    this.#sums.add("surfaces", hex(own) + use, surface, { name: "area", value });
  }

  #addLayout({ style, box }: Painted): void {
    for (const name of DISTANCES) {
      const value = Number.parseFloat(style[name]);
      if (value > 1 && value <= MAX_DISTANCE && value % 1 === 0)
        this.#sums.add("distances", value, { value }, { name: "weight", value: 1 });
    }
    if (style.display.endsWith("grid")) {
      const columns = style.gridTemplateColumns.split(" ").length;
      if (columns > 1 && this.grids.length < MAX_GRIDS) this.grids.push({ columns, gap: style.columnGap });
    }
    const { maxWidth } = style;
    const isLimited = maxWidth.endsWith("px") && Number.parseFloat(maxWidth) >= MIN_CONTENT_WIDTH;
    if (box.width >= MIN_CONTENT_WIDTH && isLimited)
      this.#sums.add(
        "contentWidths",
        maxWidth,
        { value: maxWidth },
        { name: "weight", value: Math.round(box.height) },
      );
  }

  /** @returns whether it is a button that is drawn as one. */
  #addButton(painted: Painted, letters: number): boolean {
    const { element, style, box, own } = painted;
    if (!isClickable(element)) return false;
    const border = this.#borderOf(painted);
    const words = (element.textContent || (element as HTMLInputElement).value || "").trim().length;
    const hasSize = box.height >= 24 && box.width < 420 && Number.parseFloat(style.paddingLeft) >= 8;
    if (words === 0 || words >= 40 || !hasSize || (!own && !border)) return false;
    if (this.buttons.length >= MAX_BUTTONS) return true;
    this.buttons.push({
      ...(own && { background: hex(own) }),
      textColor: this.#textColor(painted, letters),
      ...(border && { borderColor: border }),
      borderRadius: style.borderTopLeftRadius,
      top: box.top + scrollY,
      area: box.width * box.height,
      transitionDuration: style.transitionDuration,
      easing: style.transitionTimingFunction,
    });
    return true;
  }

  /** @returns whether it is a field for text. */
  #addInput(painted: Painted): boolean {
    const { element, style } = painted;
    const isOther = /^(hidden|checkbox|radio|submit|button|range|file|image|color)$/.test(typeOf(element));
    if (!isField(element) || isOther) return false;
    const border = this.#borderOf(painted);
    if (this.inputs.length < MAX_INPUTS)
      this.inputs.push({ ...(border && { borderColor: border }), borderRadius: style.borderTopLeftRadius });
    return true;
  }

  #addBadge({ element, box, own }: Painted, letters: number): boolean {
    const isSmall = letters < 25 && box.height < 40;
    if (!own || useOf(element) !== "other" || element.tagName === "A" || !isSmall || chroma(own) <= 0.2)
      return false;
    this.#sums.add("badges", hex(own), { value: hex(own) }, { name: "weight", value: 1 });
    return true;
  }

  #addText(painted: Painted, letters: number): void {
    const { element, style, ground, parentColor } = painted;
    const color = this.#textColor(painted, letters);
    const text = {
      use: textUse(element, parentColor !== color),
      color,
      background: hex(ground),
      family: style.fontFamily,
      size: style.fontSize,
      weight: Number(style.fontWeight),
      ...(style.lineHeight.endsWith("px") && { lineHeight: Number.parseFloat(style.lineHeight) }),
    };
    this.#sums.add("texts", Object.values(text).join("|"), text, { name: "letters", value: letters });
  }

  #textColor({ element, style, ground }: Painted, letters: number): string {
    return hex(letters > 0 || isClickable(element) ? over(this.#palette.read(style.color), ground) : ground);
  }

  #borderOf({ style, ground }: Painted): string | undefined {
    if (!(Number.parseFloat(style.borderTopWidth) > 0) || style.borderTopStyle === "none") return undefined;
    const edge = this.#palette.read(style.borderTopColor);
    return isPainted(edge) ? hex(over(edge, ground)) : undefined;
  }
}

function useOf(element: Element): TextUse {
  return USES[element.tagName] ?? "other";
}

/** Links count as links where they differ from the text around them. */
function textUse(element: Element, isDifferent: boolean): TextUse {
  if (!isLink(element)) return useOf(element);
  return isDifferent && !element.closest("header, nav, footer") ? "link" : "chrome-link";
}

function lettersOf(element: Element): number {
  let letters = 0;
  for (const child of element.childNodes) {
    if (child instanceof Text && /[\p{L}\p{N}]/u.test(child.data)) letters += child.data.trim().length;
  }
  return letters;
}

function isClickable(element: Element): boolean {
  if (element.tagName === "BUTTON" || isLink(element) || element.getAttribute("role") === "button")
    return true;
  return element.tagName === "INPUT" && /^(button|submit)$/.test(typeOf(element));
}

function isLink(element: Element): boolean {
  return element.tagName === "A" && (element as HTMLAnchorElement).href !== "";
}

function isField(element: Element): boolean {
  return /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName);
}

function typeOf(element: Element): string {
  return (element.getAttribute("type") ?? "").toLowerCase();
}
