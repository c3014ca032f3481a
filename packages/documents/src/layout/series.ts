import type { PageParts } from "./page-parts.ts";
import type { Paragraph } from "./paragraphs.ts";
import { countsOn } from "./text/markers.ts";

/**
 * The paragraphs whose letter or Roman numeral is a label: it belongs to a series of at least two that count on. A single
 * one may be an initial ("J. Doe") or the number of a heading.
 */
export function paragraphsInSeries(pages: readonly PageParts[]): ReadonlySet<Paragraph> {
  const inSeries = new Set<Paragraph>();
  const lastOfStyle = new Map<string, Paragraph>();
  for (const part of pages.flatMap(({ parts }) => parts)) {
    const label = part.kind === "text" ? part.marker?.label : undefined;
    if (part.kind !== "text" || !label) continue;
    const before = lastOfStyle.get(label.style);
    if (before?.marker?.label && countsOn(before.marker.label, label)) inSeries.add(before).add(part);
    lastOfStyle.set(label.style, part);
  }
  return inSeries;
}
