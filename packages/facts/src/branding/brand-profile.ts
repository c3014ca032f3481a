import { type BrandColors, brandColors, isDark, solidButtons } from "./brand-colors.ts";
import { brandFonts, brandTypography } from "./brand-fonts.ts";
import { brandLogo, brandName } from "./brand-logo.ts";
import type { BrandDecisions, BrandEvidence, ButtonStyle, Weighted } from "./evidence.ts";
import { tally } from "./tally.ts";

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
