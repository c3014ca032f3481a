import type { Pdfium } from "./library.ts";

/** What a font says of itself. */
export interface Font {
  /** Fonts of one name and weight are one. */
  readonly id: string;
  readonly name: string;
  readonly weight: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMonospaced: boolean;
}

export const UNKNOWN_FONT: Font = {
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
const MONOSPACED = /mono|courier|consol|cmtt|sftt|typewriter|menlo/i;

/** Flags of a font descriptor (PDF 1.7, table 123). */
const FIXED_PITCH = 1;
const ITALIC_FLAG = 64;

/** Six letters that tell subsets of one font apart (PDF 1.7, section 9.6.4). */
const SUBSET_PREFIX = /^[A-Z]{6}\+/;

/** Reads a font. Weights are guesses from stems, so that names are believed first. */
export function readFont({ call, memory }: Pdfium, font: number): Font {
  const stored = memory.text("latin1", (pointer, size) => call.FPDFFont_GetBaseFontName(font, pointer, size));
  const name = stored.replace(SUBSET_PREFIX, "");
  const flags = call.FPDFFont_GetFlags(font);
  const weight = call.FPDFFont_GetWeight(font);
  return {
    id: `${name}/${weight}`,
    name,
    weight,
    isBold: BOLD.test(name),
    isItalic: ITALIC.test(name) || (flags & ITALIC_FLAG) !== 0,
    isMonospaced: MONOSPACED.test(name) || (flags & FIXED_PITCH) !== 0,
  };
}
