import { lazy } from "@pergamon-dev/kit/lazy";
import { TEXT } from "@pergamon-dev/html/parser/tree";
import { FURNITURE, UNSEEN } from "../product/page-layout.ts";
import type { Candidate } from "./candidate.ts";
import type { Concept } from "./concepts.ts";
import { editionCandidates } from "./edition-candidates.ts";
import { findAuthor } from "./find-author.ts";
import { findDates } from "./find-dates.ts";
import { findTitle } from "./find-title.ts";
import { scopesOfItems } from "./item-candidates.ts";
import { labelCandidates } from "./label-candidates.ts";
import { metaCandidates } from "./meta-candidates.ts";
import { offerCandidates } from "./offer-candidates.ts";
import type { PageParts } from "./page-parts.ts";
import { blockSets } from "./block-sets.ts";
import { openScope, type Scope } from "./scope.ts";
import { tableSets } from "./table-sets.ts";
import {
  contactCandidates,
  headedCandidates,
  namedCandidates,
  pairCandidates,
} from "./visible-candidates.ts";

const OF_OFFERS: ReadonlySet<Concept> = new Set([
  "price",
  "originalPrice",
  "currency",
  "inStock",
  "soldOut",
  "sku",
]);
const OF_COMPANIES: ReadonlySet<Concept> = new Set(["phone", "address", "email", "hour", "company"]);

/** All that a page says, for requests of these concepts. */
export function scopeOfPage(parts: PageParts, asked: ReadonlySet<Concept>): Scope {
  const items = scopesOfItems(parts);
  const isOffer = [...asked].some((concept) => OF_OFFERS.has(concept));
  const isCompany = [...asked].some((concept) => OF_COMPANIES.has(concept));
  const sites = isCompany ? items.site : [];
  const own = [...items.own, ...sites];
  const candidates = () => [
    ...(isOffer ? offerCandidates(parts) : []),
    ...own.flatMap((scope) => scope.candidates()),
    ...metaCandidates(parts),
    ...foundCandidates(parts, asked),
    ...seenCandidates(parts),
    ...headedCandidates(parts),
    ...(asked.has("publisher") || asked.has("pages") ? editionCandidates(parts) : []),
  ];
  return openScope(candidates, {
    inner: () => own.flatMap(({ inner }) => inner()),
    sets: () => [
      ...items.sets,
      ...own.flatMap((scope) => scope.sets()),
      ...tableSets(parts),
      ...blockSets(parts),
    ],
  });
}

/** What readers see. What is said of other pages belongs to several things, and counts only where they are all there is. */
function seenCandidates(parts: PageParts): readonly Candidate[] {
  const { teased } = parts;
  const seen = [
    ...pairCandidates(parts),
    ...labelCandidates(parts),
    ...contactCandidates(parts),
    ...namedCandidates(parts),
  ];
  if (!showsMostlyTeasers(parts)) return seen.filter(({ node }) => teased[node] !== 1);
  return seen.map((candidate) =>
    teased[candidate.node] === 1 ? { ...candidate, isTeased: true } : candidate,
  );
}

/** Whether most of a page's text is in parts that show other pages. */
function showsMostlyTeasers({ tree, teased, layout: { offset, inside } }: PageParts): boolean {
  let [own, ofOthers] = [0, 0];
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] !== TEXT || ((inside[node] ?? 0) & (FURNITURE | UNSEEN)) !== 0) continue;
    const at = offset[node] ?? 0;
    const length = (offset[node + 1] ?? at) - at;
    if (teased[node] !== 0) ofOthers += length;
    else own += length;
  }
  return ofOthers > own;
}

/** What is looked for on the visible page, because so many ask for it. */
function foundCandidates(parts: PageParts, asked: ReadonlySet<Concept>): readonly Candidate[] {
  const dates = lazy(() => findDates(parts));
  const finders: readonly (readonly [Concept, number, () => unknown])[] = [
    ["title", 0.99, () => findTitle(parts)],
    ["author", 0.9, () => findAuthor(parts)],
    ["published", 0.77, () => dates().published?.text],
    ["modified", 0.85, () => dates().modified?.text],
  ];
  return finders.flatMap(([concept, weight, find]) => {
    const value = asked.has(concept) ? find() : undefined;
    return value === undefined ? [] : [{ label: [concept], concept, values: [value], weight, node: -1 }];
  });
}
