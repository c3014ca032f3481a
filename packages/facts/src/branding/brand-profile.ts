import { type BrandColors, brandColors, isDark, solidButtons } from "./brand-colors.ts";
import { brandFonts, brandTypography } from "./brand-fonts.ts";
import { brandLogo, brandName } from "./brand-logo.ts";
import type { BrandDecisions, BrandEvidence, ButtonStyle, Weighted } from "./evidence.ts";
import { tally } from "./tally.ts";

/** What a page tells of its brand (contract, section 3.13a). Parts that it does not show are left out. */
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

/** The members that are there. */
function defined<Value extends object>(value: Value): { [Name in keyof Value]?: NonNullable<Value[Name]> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Name in keyof Value]?: NonNullable<Value[Name]>;
  };
}

/** Units that designs are made of, in pixels. */
const UNITS = [4, 5, 6, 7, 8, 9, 10] as const;
/** A unit that fewer distances are multiples of is none. */
const LEAST_FIT = 0.6;
/** A larger unit says more than a smaller one that fits as well. */
const PER_PIXEL = 0.035;

/** The length that most distances of the page are multiples of; undefined when there is none. */
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

/** How the page is laid out, as far as it shows. */
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

/** The typical space between the columns of grids. */
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
