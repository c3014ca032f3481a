import { type BrandColors, brandColors, isDark, solidButtons } from "./brand-colors.ts";
import { brandLogo, brandName } from "./brand-logo.ts";
import type {
  BrandDecisions,
  BrandEvidence,
  BrandTextStyle,
  ButtonStyle,
  TextUse,
  Weighted,
} from "./evidence.ts";
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

const NAMED_WEIGHTS = { light: 300, medium: 500, bold: 700 } as const;

/** The brand profile of a page (contract, section 3.13a). Parts that the page does not show are missing. */
export function brandProfile(evidence: BrandEvidence, decided: BrandDecisions = {}) {
  const colors = brandColors(evidence, decided);
  const components = componentsOf(evidence, colors);
  const { buttonPrimary } = components;
  const logo = brandLogo(evidence, decided)?.url;
  const main = mainButton(evidence, colors);
  const shape = { baseUnit: baseUnit(evidence), borderRadius: buttonPrimary?.borderRadius };
  return {
    colorScheme: isDark(colors) ? ("dark" as const) : ("light" as const),
    ...defined({ brandName: brandName(evidence, decided), logo }),
    colors: defined(colors),
    fonts: brandFonts(evidence),
    typography: brandTypography(evidence),
    spacing: defined({ ...shape, gridGutter: gridGutter(evidence) }),
    components,
    images: defined({ logo, favicon: evidence.favicon, ogImage: evidence.socialImage }),
    ...(main && { animations: { transitionDuration: main.transitionDuration, easing: main.easing } }),
    layout: brandLayout(evidence),
  };
}

function componentsOf(evidence: BrandEvidence, colors: BrandColors) {
  const main = mainButton(evidence, colors);
  const second = evidence.buttons.find(
    (button) =>
      button !== main && button.background !== colors.primary && (button.borderColor ?? button.background),
  );
  const [input] = evidence.inputs;
  return {
    ...(main && { buttonPrimary: told(main) }),
    ...(second && { buttonSecondary: told(second) }),
    ...(input && { input: { ...input } }),
  };
}

function mainButton(evidence: BrandEvidence, { background, primary }: BrandColors): ButtonStyle | undefined {
  return solidButtons(evidence, background).find((button) => button.background === primary);
}

function told({ background, textColor, borderColor, borderRadius }: ButtonStyle) {
  return { ...defined({ background, textColor, borderColor }), borderRadius };
}

/** Drops undefined members. */
function defined<Value extends object>(value: Value): { [Name in keyof Value]?: NonNullable<Value[Name]> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Name in keyof Value]?: NonNullable<Value[Name]>;
  };
}

/** In pixels. Usual base units of designs. */
const UNITS = [4, 5, 6, 7, 8, 9, 10] as const;
/** Minimum share of distances that must be multiples of the unit. */
const LEAST_FIT = 0.6;
/** Bonus per pixel, as a larger unit that fits as well is more informative. */
const PER_PIXEL = 0.035;

/** The length that most distances of the page are multiples of; undefined if there is none. */
function baseUnit({ distances }: BrandEvidence): number | undefined {
  const counted = distances.filter(({ value }) => value >= UNITS[0]);
  const all = total(counted);
  let best: { readonly unit: number; readonly score: number } | undefined;
  for (const unit of UNITS) {
    const fit = total(counted.filter(({ value }) => value % unit === 0)) / (all || 1);
    const score = fit + unit * PER_PIXEL;
    if (fit > LEAST_FIT && score > (best?.score ?? 0)) best = { unit, score };
  }
  return best?.unit;
}

function brandLayout({ grids, contentWidths, headerHeight, footerHeight }: BrandEvidence) {
  const [columns] = tally(
    grids,
    (grid) => grid.columns,
    () => 1,
  );
  const [maxWidth] = tally(
    contentWidths,
    ({ value }) => value,
    ({ weight }) => weight,
  );
  return {
    grid: { ...(columns !== undefined && { columns }), ...(maxWidth !== undefined && { maxWidth }) },
    ...(headerHeight !== undefined && { headerHeight: `${headerHeight}px` }),
    ...(footerHeight !== undefined && { footerHeight: `${footerHeight}px` }),
  };
}

/** The most common gap between grid columns. */
function gridGutter({ grids }: BrandEvidence): string | undefined {
  return tally(
    grids,
    ({ gap }) => (gap.endsWith("px") ? gap : undefined),
    () => 1,
  )[0];
}

function total(list: readonly Weighted<number>[]): number {
  return list.reduce((sum, { weight }) => sum + weight, 0);
}

function brandTypography({ texts }: BrandEvidence) {
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
function brandFonts({ texts }: BrandEvidence) {
  const names = tally(texts, ({ family }) => familyOf(family), lettersOf);
  return names.slice(0, MAX_FONTS).map((family) => ({ family }));
}

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
