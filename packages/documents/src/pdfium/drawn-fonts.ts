import type { Font } from "./fonts.ts";
import type { Pdfium } from "./library.ts";

/** A font whose tallest character is by so much larger, or smaller, than it says does not say its size. */
const MUCH_TALLER = 2;
const MUCH_SMALLER = 0.3;

/** The height of the tallest character of most fonts, as a share of their size. */
const TALLEST = 0.9;

/** Characters that are measured; on a page with more the first ones tell enough. */
const MAX_MEASURED = 20_000;

/**
 * Fonts without a name are drawn by the file itself, in units of its own (Type 3; PDF 1.7, section 9.6.5), so that their
 * size and boxes may be anything. The characters that they have drawn on a page tell how large they are.
 */
export class DrawnFonts {
  readonly #pdfium: Pdfium;
  readonly #textPage: number;
  #heights: ReadonlyMap<number, number> | undefined;

  constructor(pdfium: Pdfium, textPage: number) {
    this.#pdfium = pdfium;
    this.#textPage = textPage;
  }

  /** The size of a font in points, where that differs from what it says; undefined where it is right. */
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
