import { type BrandColors, brandColors, isDark, solidButtons } from "./brand-colors.ts";
import { brandFonts, brandTypography } from "./brand-fonts.ts";
import { baseUnit, brandLayout, gridGutter } from "./brand-layout.ts";
import { brandLogo, brandName } from "./brand-logo.ts";
import type { BrandDecisions, BrandEvidence, ButtonStyle } from "./evidence.ts";

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
