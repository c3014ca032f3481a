import type { BrandEvidence, Weighted } from "./evidence.ts";
import { tally } from "./tally.ts";

/** Units that designs are made of, in pixels. */
const UNITS = [4, 5, 6, 7, 8, 9, 10] as const;
/** A unit that fewer distances are multiples of is none. */
const LEAST_FIT = 0.6;
/** A larger unit says more than a smaller one that fits as well. */
const PER_PIXEL = 0.035;

/** The length that most distances of the page are multiples of; undefined when there is none. */
export function baseUnit({ distances }: BrandEvidence): number | undefined {
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
export function brandLayout({ grids, contentWidths, headerHeight, footerHeight }: BrandEvidence) {
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
export function gridGutter({ grids }: BrandEvidence): string | undefined {
  return tally(
    grids,
    ({ gap }) => (gap.endsWith("px") ? gap : undefined),
    () => 1,
  )[0];
}

function total(list: readonly Weighted<number>[]): number {
  return list.reduce((sum, { weight }) => sum + weight, 0);
}
