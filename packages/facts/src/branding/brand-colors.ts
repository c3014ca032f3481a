import type { BrandDecisions, BrandEvidence, BrandTextStyle, ButtonStyle } from "./evidence.ts";
import { tally, weigh } from "./tally.ts";

/** Brand colours by role. Colours that the page does not show are missing. */
export interface BrandColors {
  readonly background: string;
  readonly primary?: string | undefined;
  readonly secondary?: string | undefined;
  readonly accent?: string | undefined;
  readonly textPrimary?: string | undefined;
  readonly textSecondary?: string | undefined;
  readonly link?: string | undefined;
}

/**
 * A surface with at least this share of the page is the background, even if the page declares another one.
 */
const COVERS_PAGE = 0.5;
/** Minimum contrast of running text (WCAG 2, 1.4.3), and of secondary text. */
const READABLE = 4.5;
const VISIBLE = 2;
/** Secondary text is grey or nearly grey. */
const MAX_GREY_CHROMA = 0.35;
const STRONG_CHROMA = 0.3;
/** Square pixels of a typical large button. */
const LARGE_BUTTON = 20_000;
/** Button colours with at least this share of the highest weight are equally likely. */
const NEARLY = 0.8;
const MAX_LIKELY = 5;
/** In pixels. Buttons above this line are visible without scrolling. */
const FOLD = 900;

export function brandColors(evidence: BrandEvidence, decided: BrandDecisions = {}): BrandColors {
  const background = backgroundOf(evidence);
  const primary = primaryOf(evidence, background, decided);
  const badges = tally(
    evidence.badges,
    ({ value }) => value,
    ({ weight }) => weight,
  );
  const surfaces = [...surfaceColors(evidence, { isCode: false }), ...surfaceColors(evidence)];
  const secondary = surfaces.find(
    (color) => differs(color, background) && color !== primary && !badges.includes(color),
  );
  const accent = badges.find((color) => color !== primary && color !== secondary);
  const links = tally(evidence.texts, ({ use, color }) => (use === "link" ? color : undefined), lettersOf);
  return { background, primary, secondary, accent, ...textColors(evidence, background), link: links[0] };
}

export function isDark({ background }: BrandColors): boolean {
  return luminance(background) < 0.25;
}

/** Buttons with a background of their own. */
export function solidButtons({ buttons }: BrandEvidence, background: string): readonly ButtonStyle[] {
  return buttons.filter(
    (button) => button.background !== undefined && differs(button.background, background),
  );
}

function backgroundOf(evidence: BrandEvidence): string {
  const { surfaces, viewport, pageHeight, rootColor } = evidence;
  const page = viewport.width * Math.max(viewport.height, pageHeight);
  const areas = weigh(
    surfaces,
    ({ color }) => color,
    ({ area }) => area,
  );
  const [largest] = surfaceColors(evidence);
  if (largest !== undefined && (areas.get(largest) ?? 0) > COVERS_PAGE * page) return largest;
  return rootColor ?? "#FFFFFF";
}

/** Sorted by area, largest first. */
function surfaceColors({ surfaces }: BrandEvidence, wanted: { readonly isCode?: boolean } = {}) {
  const counted = surfaces.filter(({ isCode }) => wanted.isCode === undefined || isCode === wanted.isCode);
  return tally(
    counted,
    ({ color }) => color,
    ({ area }) => area,
  );
}

/** Colours of buttons, heaviest first. */
export function likelyPrimaries(evidence: BrandEvidence, background: string): readonly string[] {
  const weights = weigh(
    solidButtons(evidence, background),
    (button) => button.background,
    (button) =>
      1 + button.area / LARGE_BUTTON + (button.top < FOLD ? 1 : 0) + chroma(button.background ?? background),
  );
  const heaviest = Math.max(0, ...weights.values());
  const likely = [...weights].filter(([, weight]) => weight >= NEARLY * heaviest);
  return likely
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_LIKELY)
    .map(([color]) => color);
}

/** The main button colour; on pages without buttons, the strongest colour. */
function primaryOf(evidence: BrandEvidence, background: string, decided: BrandDecisions): string | undefined {
  const likely = likelyPrimaries(evidence, background);
  const pressed = likely.find((color) => color === decided.primary) ?? likely[0];
  if (pressed !== undefined) return pressed;
  const [badge] = tally(
    evidence.badges,
    ({ value }) => value,
    ({ weight }) => weight,
  );
  return badge ?? surfaceColors(evidence).find((color) => chroma(color) > STRONG_CHROMA);
}

/** Colours of running text on the background. Text on other surfaces is ignored. */
function textColors({ texts }: BrandEvidence, background: string) {
  const running = texts.filter(({ use }) => use === "prose" || use === "other");
  const colors = tally(running, ({ color }) => color, lettersOf);
  const textPrimary = colors.find((color) => contrast(color, background) >= READABLE) ?? colors[0];
  const textSecondary =
    textPrimary &&
    colors.find(
      (color) =>
        differs(color, textPrimary) &&
        chroma(color) < MAX_GREY_CHROMA &&
        contrast(color, background) > VISIBLE &&
        contrast(color, background) < contrast(textPrimary, background),
    );
  return { textPrimary, textSecondary };
}

function lettersOf({ letters }: BrandTextStyle): number {
  return letters;
}

type Rgb = readonly [red: number, green: number, blue: number];

/** Euclidean distance in RGB, out of 441. Closer colours look the same. */
const NEAR = 18;
/** Linear part of the sRGB curve (WCAG 2, relative luminance). */
const LINEAR_BELOW = 0.03928;

function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff];
}

/** Relative luminance: 0 for black to 1 for white (WCAG 2). */
function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color).map((value) => {
    const share = value / 255;
    return share <= LINEAR_BELOW ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** 1 for the same colour to 21 for black on white (WCAG 2). */
function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** 0 for grey to 1 for the strongest colour. */
function chroma(color: string): number {
  const parts = rgbOf(color);
  return (Math.max(...parts) - Math.min(...parts)) / 255;
}

function differs(one: string, other: string): boolean {
  const [a, b] = [rgbOf(one), rgbOf(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) > NEAR;
}
