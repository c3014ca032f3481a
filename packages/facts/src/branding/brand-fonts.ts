import type { BrandEvidence, BrandTextStyle, TextUse } from "./evidence.ts";
import { tally } from "./tally.ts";

/** Families that stand for a font of the machine. */
const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|math|emoji|inherit|system-ui|-apple-system|blinkmacsystemfont|ui-(?:sans-serif|serif|monospace|rounded))$/i;
/** Names that build tools make of a family, such as `__Inter_d65c78` and `__Inter_Fallback_d65c78`. */
const BUILT_NAME = /^__(.+?)(?:_Fallback)?_[0-9a-f]{6}$/;
/** A line of a heading of the first rank says as much as several of the others. */
const FIRST_HEADING = 3;
/** Text that is not a paragraph, such as a label, says less about the body text. */
const ASIDE = 1 / 8;
const MAX_FONTS = 10;

/** Fonts and sizes of a brand's text. */
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

/** The fonts of the page, those with the most letters first. */
export function brandFonts({ texts }: BrandEvidence) {
  const names = tally(texts, ({ family }) => familyOf(family), lettersOf);
  return names.slice(0, MAX_FONTS).map((family) => ({ family }));
}

const NAMED_WEIGHTS = { light: 300, medium: 500, bold: 700 } as const;

/** The weights that have a name and are used. */
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

/** As a factor of the size. */
function lineHeightOf(text: BrandTextStyle | undefined): number | undefined {
  if (text?.lineHeight === undefined) return undefined;
  return Math.round((text.lineHeight / Number.parseFloat(text.size)) * 100) / 100;
}

function families(stack: string | undefined): readonly string[] | undefined {
  return stack?.split(",").map((name) => readable(name.trim().replaceAll(/^["']|["']$/g, "")));
}

/** The first family that names a font; what stands for any font only where nothing else is named. */
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

/** The members that are there. */
function defined<Value extends object>(value: Value): { [Name in keyof Value]?: NonNullable<Value[Name]> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Name in keyof Value]?: NonNullable<Value[Name]>;
  };
}
