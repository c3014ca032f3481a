import { similarity } from "../product/similarity.ts";
import type { SchemaItem } from "../structured/schema-item.ts";

import { scopeOfItem } from "./item-scope.ts";
import type { PageParts } from "./page-parts.ts";
import type { Scope, ScopeSet } from "./scope.ts";
import { labelWords } from "./words.ts";

/** Types that describe the site or the page frame: one line per reason. */
const OF_SITE = /^(?:WebSite|Organization|NewsMediaOrganization|Corporation|OnlineStore|Person|Brand)$/;
const FRAME =
  /^(?:BreadcrumbList|ListItem|ItemList|SearchAction|ImageObject|SiteNavigationElement|WPHeader|WPFooter|WPSideBar|EntryPoint|ReadAction|SpeakableSpecification|PropertyValue|AggregateRating|Offer|QuantitativeValue|ContactPoint|PostalAddress|ImageGallery|Comment|Review|Rating|CreativeWorkSeries)$/;
const PAGE =
  /^(?:WebPage|ItemPage|AboutPage|ProfilePage|CollectionPage|ContactPage|CheckoutPage|WebPageElement)$/;

const LIKE_THE_PAGE = 0.6;
const MAX_ITEMS = 300;

interface ItemScopes {
  readonly own: readonly Scope[];
  /** Scopes of the site. They count only for requests about a company. */
  readonly site: readonly Scope[];
  readonly sets: readonly ScopeSet[];
}

export function scopesOfItems(parts: PageParts): ItemScopes {
  const roots = rootsOf(parts);
  const isNamed = namesOf(parts).length > 0;
  const lists = roots.filter(({ types }) => types.includes("ItemList"));
  const sites = roots.filter(({ types }) => types.some((type) => OF_SITE.test(type)));
  return {
    own: mainItems(parts).map((item) => scopeOfItem(item, weightOf(item, likenessTo(parts, item), isNamed))),
    site: sites.map((item) => scopeOfItem(item, 0.8)),
    sets: [...setsOf(groupsOf(thingsIn(roots))), ...lists.flatMap(listedSet)],
  };
}

/** Items about the page's subject. Of several with the same type, those named like the page. */
export function mainItems(parts: PageParts): readonly SchemaItem[] {
  const { teased } = parts;
  const groups = groupsOf(thingsIn(rootsOf(parts)).filter(({ element }) => teased[element] !== 1));
  return [...groups.values()].flatMap((group) => {
    if (group.length === 1) return group;
    return group.filter((item) => likenessTo(parts, item) > LIKE_THE_PAGE).slice(0, 3);
  });
}

function rootsOf({ evidence }: PageParts): readonly SchemaItem[] {
  return evidence.items().filter(isRoot).slice(0, MAX_ITEMS);
}

function thingsIn(roots: readonly SchemaItem[]): readonly SchemaItem[] {
  return roots.filter(({ types }) => !types.some((type) => OF_SITE.test(type) || FRAME.test(type)));
}

function namesOf({ heading, titles }: PageParts): readonly string[] {
  return [heading.text, ...titles].filter((name) => name !== "");
}

function likenessTo(parts: PageParts, item: SchemaItem): number {
  const own = item.text("name", "headline", "title") ?? "";
  return Math.max(0, ...namesOf(parts).map((name) => similarity(name, own)));
}

function isRoot({ path }: SchemaItem): boolean {
  return path.every((name) => name === "@graph" || name === "mainEntity" || name === "mainEntityOfPage");
}

function groupsOf(items: readonly SchemaItem[]): ReadonlyMap<string, readonly SchemaItem[]> {
  const groups = new Map<string, SchemaItem[]>();
  for (const item of items) {
    const type = item.types.join(" ");
    const group = groups.get(type);
    if (group) group.push(item);
    else groups.set(type, [item]);
  }
  return groups;
}

/** An item named like the page is reliable; if the heading differs, it is less so. */
function weightOf({ types, source }: SchemaItem, likeness: number, isNamed: boolean): number {
  const kind = types.some((type) => PAGE.test(type)) ? 0.78 : source === "json-ld" ? 0.98 : 0.95;
  return isNamed && likeness < LIKE_THE_PAGE ? kind - 0.12 : kind;
}

function setsOf(groups: ReadonlyMap<string, readonly SchemaItem[]>): readonly ScopeSet[] {
  return [...groups].flatMap(([type, group]) =>
    group.length < 2
      ? []
      : [{ labels: type.split(" ").map(labelWords), weight: 0.95, scopes: scopesOf(group) }],
  );
}

function listedSet(list: SchemaItem): readonly ScopeSet[] {
  const entries = list.items("itemListElement").map((entry) => entry.items("item")[0] ?? entry);
  if (entries.length < 2) return [];
  const types = entries[0]?.types ?? [];
  return [
    {
      labels: [...types, list.text("name") ?? "items"].map(labelWords),
      weight: 0.9,
      scopes: scopesOf(entries),
    },
  ];
}

function scopesOf(items: readonly SchemaItem[]): readonly Scope[] {
  return items.map((item) => scopeOfItem(item, 0.95));
}
