import type { Look } from "../layout/page/page.ts";
import { DrawnFonts } from "./drawn-fonts.ts";
import { type Font, readFont, UNKNOWN_FONT } from "./fonts.ts";
import type { Pdfium } from "./library.ts";
import { chained, type Matrix } from "./matrix.ts";

/** What holds for all characters of one text object. */
export interface TextStyle {
  readonly look: Look;
  /** Marked-content id; -1 when there is none. */
  readonly markedContent: number;
  /** Whether the boxes of the characters tell nothing, so that their size has to do. */
  readonly isBoxless: boolean;
}

/** PDF 1.7, table 106: neither fill nor stroke. */
const INVISIBLE = 3;

/** Looks that are found again without a look at their fonts. */
const MAX_RECENT = 16;

/** A character of which the style is wanted. */
interface Styled {
  readonly textPage: number;
  readonly index: number;
  /** The text object that draws it; 0 for one that pdfium made up. */
  readonly object: number;
}

/** What a look follows from, as pdfium has it. */
interface RawLook {
  font: number;
  size: number;
  a: number;
  b: number;
  c: number;
  d: number;
  isHidden: boolean;
  color: number;
}

interface LooksSource {
  readonly space: Matrix;
  readonly isTagged: boolean;
}

/** The looks of one page. Characters that look alike share one object. */
export class Looks {
  readonly #pdfium: Pdfium;
  readonly #space: Matrix;
  readonly #isTagged: boolean;
  readonly #fonts = new Map<number, Font>();
  readonly #looks = new Map<string, Look>();
  readonly #drawn: DrawnFonts;
  readonly #boxless = new Set<Look>();
  readonly #recent: { readonly raw: RawLook; readonly look: Look }[] = [];
  #style: TextStyle | undefined;
  #raw: RawLook = newRaw();
  #next: RawLook = newRaw();

  constructor(pdfium: Pdfium, textPage: number, { space, isTagged }: LooksSource) {
    this.#pdfium = pdfium;
    this.#drawn = new DrawnFonts(pdfium, textPage);
    this.#space = space;
    this.#isTagged = isTagged;
  }

  /** Some programs draw each character as an object of its own, so that the object before mostly looks the same. */
  styleOf(styled: Styled): TextStyle {
    const markedContent = this.#markedContentOf(styled.object);
    this.#readNext(styled);
    const isSame = this.#style !== undefined && isSameLook(this.#raw, this.#next);
    if (this.#style && isSame && this.#style.markedContent === markedContent) return this.#style;
    const look = isSame && this.#style ? this.#style.look : this.#knownLookOf(this.#next);
    const raw = this.#raw;
    this.#raw = this.#next;
    this.#next = raw;
    this.#style = { look, markedContent, isBoxless: this.#boxless.has(look) };
    return this.#style;
  }

  /** Text goes to and fro between few looks. */
  #knownLookOf(raw: RawLook): Look {
    for (const known of this.#recent) if (isSameLook(known.raw, raw)) return known.look;
    const look = this.#lookOf(raw);
    if (this.#recent.length === MAX_RECENT) this.#recent.shift();
    this.#recent.push({ raw: { ...raw }, look });
    return look;
  }

  #markedContentOf(object: number): number {
    if (object === 0 || !this.#isTagged) return -1;
    return this.#pdfium.call.FPDFPageObj_GetMarkedContentID(object);
  }

  #readNext({ textPage, index, object }: Styled): void {
    const { call, memory } = this.#pdfium;
    const next = this.#next;
    next.size = call.FPDFText_GetFontSize(textPage, index);
    const isPlaced = call.FPDFText_GetMatrix(textPage, index, memory.scratch) !== 0;
    next.a = isPlaced ? memory.float(0) : 1;
    next.b = isPlaced ? memory.float(1) : 0;
    next.c = isPlaced ? memory.float(2) : 0;
    next.d = isPlaced ? memory.float(3) : 1;
    next.font = object === 0 ? 0 : call.FPDFTextObj_GetFont(object);
    next.isHidden = object !== 0 && call.FPDFTextObj_GetTextRenderMode(object) === INVISIBLE;
    next.color = object === 0 ? 0 : this.#colorOf(object);
  }

  #colorOf(object: number): number {
    const { call, memory } = this.#pdfium;
    const at = memory.scratch;
    if (call.FPDFPageObj_GetFillColor(object, at, at + 4, at + 8, at + 12) === 0) return 0;
    return (memory.unsigned(0) << 16) | (memory.unsigned(1) << 8) | memory.unsigned(2);
  }

  /** Size and direction are as drawn: through the text object's matrix, those of forms around it, and the page's. */
  #lookOf({ font: handle, size, isHidden, color, ...linear }: RawLook): Look {
    const { a, b, c, d } = chained({ ...linear, e: 0, f: 0 }, this.#space);
    const found = handle === 0 ? UNKNOWN_FONT : this.#font(handle);
    const told = size * (Math.hypot(c, d) || 1) || 1;
    const measured = handle === 0 ? undefined : this.#drawn.sizeOf(handle, found, told);
    const drawn = {
      size: measured ?? told,
      // From here on y grows downwards.
      angle: b === 0 && a > 0 ? 0 : Math.atan2(-b, a),
      isHidden,
      color,
    };
    const { id, name, ...font } = found;
    const key = `${id}/${drawn.size.toFixed(1)}/${drawn.angle.toFixed(2)}/${isHidden}/${color}`;
    const look = this.#looks.get(key) ?? { font: name, ...font, ...drawn };
    this.#looks.set(key, look);
    if (measured !== undefined) this.#boxless.add(look);
    return look;
  }

  #font(handle: number): Font {
    const font = this.#fonts.get(handle) ?? readFont(this.#pdfium, handle);
    this.#fonts.set(handle, font);
    return font;
  }
}

function newRaw(): RawLook {
  return { font: 0, size: 0, a: 0, b: 0, c: 0, d: 0, isHidden: false, color: 0 };
}

function isSameLook(one: RawLook, other: RawLook): boolean {
  return (
    one.font === other.font &&
    one.size === other.size &&
    one.a === other.a &&
    one.b === other.b &&
    one.c === other.c &&
    one.d === other.d &&
    one.isHidden === other.isHidden &&
    one.color === other.color
  );
}
