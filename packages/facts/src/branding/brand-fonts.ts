import type { BrandEvidence, BrandTextStyle, TextUse } from "./evidence.ts";
import { tally } from "./tally.ts";

/** Generic families, which stand for a font of the machine. */
const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|math|emoji|inherit|system-ui|-apple-system|blinkmacsystemfont|ui-(?:sans-serif|serif|monospace|rounded))$/i;
/** Generated family names, such as `__Inter_d65c78` and `__Inter_Fallback_d65c78`. */
const BUILT_NAME = /^__(.+?)(?:_Fallback)?_[0-9a-f]{6}$/;
/** Weight of an `h1` line relative to other headings. */
const FIRST_HEADING = 3;
/** Weight of text outside paragraphs, such as labels, for the body font. */
const ASIDE = 1 / 8;
const MAX_FONTS = 10;

export function brandTypography({ texts }: BrandEvidence) {
  const headings = texts.filter(({ use }) => /^h\d$/.test(use));
  const running = texts.filter(({ use }) => use === "prose" || use === "other");
  const [body] = tally(running, lookOf, (text) => text.letters * (text.use === "prose" ? 1 : ASIDE));
  const usual = running.find((text) => lookOf(text) === body);
  const [headingStack] = tally(headings, ({ family }) => family, headingWeight);
  const headingFace = headings.find(({ family }) => family === headingStack);
  const [codeStack] = tally(ofUse(texts, "code"), ({ family }) => family, lettersOf);
  const [headingWeightValue] = tally(headings, ({ weight }) => weight, lettersOf);
  const stacks = { primary: usual?.family, heading: headingStack ?? usual?.family, code: codeStack };
  return {
    fontFamilies: defined({
      primary: familyOf(stacks.primary),
      heading: familyOf(stacks.heading),
      code: familyOf(stacks.code),
    }),
    fontStacks: defined({
      primary: families(stacks.primary),
      heading: families(stacks.heading),
      code: families(stacks.code),
    }),
    fontSizes: defined({
      h1: firstSize(texts, "h1"),
      h2: firstSize(texts, "h2"),
      h3: firstSize(texts, "h3"),
      body: usual?.size,
    }),
    fontWeights: defined({ regular: usual?.weight, ...weightsOf(texts), heading: headingWeightValue }),
    lineHeights: defined({ heading: lineHeightOf(headingFace), body: lineHeightOf(usual) }),
  };
}

/** The fonts of the page, by number of letters. */
export function brandFonts({ texts }: BrandEvidence) {
  const names = tally(texts, ({ family }) => familyOf(family), lettersOf);
  return names.slice(0, MAX_FONTS).map((family) => ({ family }));
}

const NAMED_WEIGHTS = { light: 300, medium: 500, bold: 700 } as const;

/** Named weights in use. */
function weightsOf(texts: readonly BrandTextStyle[]) {
  const used = new Set(texts.map(({ weight }) => weight));
  return Object.fromEntries(Object.entries(NAMED_WEIGHTS).filter(([, weight]) => used.has(weight)));
}

function lookOf({ size, family, weight }: BrandTextStyle): string {
  return [size, family, weight].join("|");
}

function ofUse(texts: readonly BrandTextStyle[], wanted: TextUse): readonly BrandTextStyle[] {
  return texts.filter(({ use }) => use === wanted);
}

function firstSize(texts: readonly BrandTextStyle[], use: TextUse): string | undefined {
  return ofUse(texts, use)[0]?.size;
}

/** Relative to the font size. */
function lineHeightOf(text: BrandTextStyle | undefined): number | undefined {
  if (text?.lineHeight === undefined) return undefined;
  return Math.round((text.lineHeight / Number.parseFloat(text.size)) * 100) / 100;
}

function families(stack: string | undefined): readonly string[] | undefined {
  return stack?.split(",").map((name) => readable(name.trim().replaceAll(/^["']|["']$/g, "")));
}

/** The first specific family; a generic one only if there is no other. */
function familyOf(stack: string | undefined): string | undefined {
  const names = families(stack);
  return names?.find((name) => !GENERIC.test(name)) ?? names?.[0];
}

function readable(name: string): string {
  return BUILT_NAME.exec(name)?.[1]?.replaceAll("_", " ") ?? name;
}

function headingWeight({ use, letters }: BrandTextStyle): number {
  return use === "h1" ? letters * FIRST_HEADING : letters;
}

function lettersOf({ letters }: BrandTextStyle): number {
  return letters;
}

/** Drops undefined members. */
function defined<Value extends object>(value: Value): { [Name in keyof Value]?: NonNullable<Value[Name]> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Name in keyof Value]?: NonNullable<Value[Name]>;
  };
}
