import type { Look } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";
import { chained, type Matrix } from "./matrix.ts";

/** Shared by all characters of one text object. */
export interface TextStyle {
  readonly look: Look;
  /** Marked-content id; -1 if there is none. */
  readonly markedContent: number;
  /** True if character boxes are unusable, so that the font size replaces them. */
  readonly isBoxless: boolean;
}

/** PDF 1.7, table 106: neither fill nor stroke. */
const INVISIBLE = 3;

/** Cache size for looks, which avoids reading fonts again. */
const MAX_RECENT = 16;

interface Styled {
  readonly textPage: number;
  readonly index: number;
  /** Text object of the character; 0 if pdfium generated the character. */
  readonly object: number;
}

/** The values from pdfium that determine a look. */
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
  readonly fonts: KnownFonts;
}

/** The looks of one page. Characters with the same look share one object. */
export class Looks {
  readonly #pdfium: Pdfium;
  readonly #space: Matrix;
  readonly #isTagged: boolean;
  readonly #known: KnownFonts;
  readonly #fonts = new Map<number, Font>();
  readonly #looks = new Map<string, Look>();
  readonly #drawn: DrawnFonts;
  readonly #boxless = new Set<Look>();
  readonly #recent: { readonly raw: RawLook; readonly look: Look }[] = [];
  #style: TextStyle | undefined;
  #raw: RawLook = newRaw();
  #next: RawLook = newRaw();

  constructor(pdfium: Pdfium, textPage: number, { space, isTagged, fonts }: LooksSource) {
    this.#pdfium = pdfium;
    this.#drawn = new DrawnFonts(pdfium, textPage);
    this.#space = space;
    this.#isTagged = isTagged;
    this.#known = fonts;
  }

  /** Some programs draw each character as a separate object, so consecutive objects mostly look the same. */
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

  /** Text alternates between few looks. */
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

  /**
   * Size and direction are as drawn: through the matrices of the text object, the forms around it, and the
   * page.
   */
  #lookOf({ font: handle, size, isHidden, color, ...linear }: RawLook): Look {
    const { a, b, c, d } = chained({ ...linear, e: 0, f: 0 }, this.#space);
    const found = handle === 0 ? UNKNOWN_FONT : this.#font(handle);
    const told = size * (Math.hypot(c, d) || 1) || 1;
    const measured = handle === 0 ? undefined : this.#drawn.sizeOf(handle, found, told);
    const drawn = {
      size: measured ?? told,
      // From here on, y grows downwards.
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
    const font = this.#fonts.get(handle) ?? this.#known.read(this.#pdfium, handle);
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

/**
 * Times the stated size. If the tallest character is larger or smaller than this, the stated size is wrong.
 */
const MUCH_TALLER = 2;
const MUCH_SMALLER = 0.3;

/** Height of the tallest character in most fonts, as a share of the font size. */
const TALLEST = 0.9;

/** Maximum characters measured per page. */
const MAX_MEASURED = 20_000;

/**
 * Fonts without a name are Type 3 fonts, drawn by the file in its own units (PDF 1.7, section 9.6.5), so
 * their size and boxes may be arbitrary. The drawn characters of the page show the real size.
 */
class DrawnFonts {
  readonly #pdfium: Pdfium;
  readonly #textPage: number;
  #heights: ReadonlyMap<number, number> | undefined;

  constructor(pdfium: Pdfium, textPage: number) {
    this.#pdfium = pdfium;
    this.#textPage = textPage;
  }

  /** Measured font size in points; undefined if the stated size is right. */
  sizeOf(handle: number, { name }: Font, told: number): number | undefined {
    if (name !== "") return undefined;
    this.#heights ??= this.#measured();
    const height = this.#heights.get(handle) ?? told;
    return height > MUCH_TALLER * told || height < MUCH_SMALLER * told ? height / TALLEST : undefined;
  }

  #measured(): ReadonlyMap<number, number> {
    const { call, memory } = this.#pdfium;
    const count = Math.min(call.FPDFText_CountChars(this.#textPage), MAX_MEASURED);
    const heights = new Map<number, number>();
    // Four doubles: left, right, bottom, top.
    const pointers = [0, 8, 16, 24].map((offset) => memory.scratch + offset);
    for (let index = 0; index < count; index += 1) {
      const object = call.FPDFText_GetTextObject(this.#textPage, index);
      if (object === 0 || call.FPDFText_GetCharBox(this.#textPage, index, ...pointers) === 0) continue;
      const font = call.FPDFTextObj_GetFont(object);
      heights.set(font, Math.max(heights.get(font) ?? 0, memory.double(3) - memory.double(2)));
    }
    return heights;
  }
}

interface Font {
  /** Unique per name and weight. */
  readonly id: string;
  readonly name: string;
  readonly weight: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMonospaced: boolean;
}

const UNKNOWN_FONT: Font = {
  id: "",
  name: "",
  weight: 400,
  isBold: false,
  isItalic: false,
  isMonospaced: false,
};

const BOLD =
  /bold|black|heavy|semibold|demi(?!ne)|[-,](?:bd|b)\b|cmbx|cmssbx|sfbx|nimb.*-(?:medi|bold)|-medi/i;
const ITALIC = /ital|obli|cmti|cmsl|sfti|-it\b/i;
/** The whole style of a font, whose letters are drawn too few or too wide for a weight to be guessed. */
const ONLY_ITALIC = /[-,](?:italic|oblique)(?:mt)?$/i;
const MONOSPACED = /mono|courier|consol|cmtt|sftt|typewriter|menlo/i;
/** Some programs say of every font that its letters are equally wide. */
const PROPORTIONAL = /sans|serif|roman|times|arial|helvetica/i;

/** Flags of a font descriptor (PDF 1.7, table 123). */
const FIXED_PITCH = 1;
const ITALIC_FLAG = 64;

/** Six letters that distinguish subsets of a font (PDF 1.7, section 9.6.4). */
const SUBSET_PREFIX = /^[A-Z]{6}\+/;

const MAX_KNOWN = 1000;

/** Fonts that were read. Most pages of all files have the same few. */
export class KnownFonts {
  readonly #known = new Map<string, Font>();

  /** The name has priority, as pdfium guesses weights from stem widths. */
  read({ call, memory }: Pdfium, font: number): Font {
    const stored = memory.text("latin1", (pointer, size) =>
      call.FPDFFont_GetBaseFontName(font, pointer, size),
    );
    const name = stored.replace(SUBSET_PREFIX, "");
    const flags = call.FPDFFont_GetFlags(font);
    const weight = call.FPDFFont_GetWeight(font);
    const key = `${name}/${weight}/${flags}`;
    const known = this.#known.get(key) ?? fontOf(name, weight, flags);
    if (this.#known.size === MAX_KNOWN) this.#known.clear();
    this.#known.set(key, known);
    return known;
  }
}

function fontOf(name: string, weight: number, flags: number): Font {
  return {
    id: `${name}/${weight}`,
    name,
    weight: ONLY_ITALIC.test(name) ? Math.min(weight, UNKNOWN_FONT.weight) : weight,
    isBold: BOLD.test(name),
    isItalic: ITALIC.test(name) || (flags & ITALIC_FLAG) !== 0,
    isMonospaced: MONOSPACED.test(name) || ((flags & FIXED_PITCH) !== 0 && !PROPORTIONAL.test(name)),
  };
}
