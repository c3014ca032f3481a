import { lazy } from "@pergamon-dev/kit/lazy";
import { baseUrlOf } from "@pergamon-dev/html/selection/base-url";
import { findHeading } from "../product/heading.ts";
import { FURNITURE, layOut, OTHER_PRODUCTS, UNSEEN } from "../product/page-layout.ts";
import type { Evidence } from "../structured/evidence.ts";
import { findTeasers, type OwnParts } from "./teasers/find-teasers.ts";

/** Shared by all code that looks for values on a page. */
export interface PageParts extends OwnParts {
  readonly evidence: Evidence;
  /** By node: 1 inside a part that shows another page. */
  readonly teased: Uint8Array;
  /** Language tag of the page; "" if unknown. */
  readonly language: string;
}

export function partsOfPage(evidence: Evidence, url: string): PageParts {
  const { tree, meta } = evidence;
  const titles = [meta("og:title"), meta("title")].filter((title) => title !== undefined);
  const heading = findHeading(tree, titles);
  const layout = lazy(() => layOut(tree, heading.node));
  const baseUrl = baseUrlOf(tree, url);
  const teased = lazy(() => findTeasers({ tree, url, baseUrl, titles, heading, layout: layout() }));
  return {
    evidence,
    tree,
    url,
    baseUrl,
    titles,
    heading,
    get layout() {
      return layout();
    },
    get teased() {
      return teased();
    },
    language: withRegion(meta("language") ?? "", meta("og:locale") ?? ""),
  };
}

/** A language that names no region has that of the page's locale: `en` and `en_US`. */
function withRegion(language: string, locale: string): string {
  return language === "" || locale.startsWith(`${language}_`) ? locale : language;
}

/** Weight of a node's position, 0 to 1. Invisible text counts nothing, secondary text little. */
export function weightOfPlace({ layout }: PageParts, node: number): number {
  const inside = layout.inside[node] ?? 0;
  if ((inside & UNSEEN) !== 0) return 0;
  if ((inside & OTHER_PRODUCTS) !== 0) return 0.4;
  return (inside & FURNITURE) !== 0 ? 0.7 : 1;
}

/**
 * Characters of text from the heading to a node, negative before it. Without a heading, counts from the
 * start.
 */
export function distanceFromHeading({ layout, heading, tree }: PageParts, node: number): number {
  const offset = layout.offset[node] ?? 0;
  const start = layout.offset[Math.max(0, heading.node)] ?? 0;
  if (heading.node < 0 || node < heading.node) return offset - start;
  const end = layout.offset[tree.end[heading.node] ?? 0] ?? start;
  return Math.max(0, offset - end);
}
