import { lazy } from "@pergamon-dev/kit/lazy";
import { isJsonObject } from "@pergamon-dev/kit/json";
import { plainText, type SchemaItem } from "../structured/schema-item.ts";
import type { Candidate } from "./candidate.ts";
import { openScope, type Scope, type ScopeSet } from "./scope.ts";
import { labelWords } from "./words.ts";

const MAX_VALUES = 200;
const MAX_DEPTH = 3;

/** Properties whose names mean nothing without the item. */
const ONLY_OF_ITEM = new Set(
  "name url image description id type logo address email telephone title text value".split(" "),
);

/** Items whose properties count as those of the parent: an offer's price is the product's price. */
const TRANSPARENT =
  /^(?:offers|aggregateRating|reviewRating|priceSpecification|hiringOrganization|jobLocation|nutrition|location|address|geo|baseSalary|mainEntity|itemReviewed|workExample|publication|isPartOf|about)$/;

/** The scope of a schema.org item. */
export function scopeOfItem(item: SchemaItem, weight: number, depth = 0): Scope {
  const names = Object.keys(item.object).filter((name) => !name.startsWith("@"));
  const nested = lazy(() =>
    depth >= MAX_DEPTH
      ? []
      : names.flatMap((name) => {
          const items = item.items(name).slice(0, MAX_VALUES);
          const scopes = items.map((one) => scopeOfItem(one, weight, depth + 1));
          return scopes.length > 0 ? [{ name, items, scopes }] : [];
        }),
  );
  return openScope(
    () => [
      ...names.flatMap((name) => ownCandidate(item, name, weight)),
      ...nested().flatMap(nestedCandidates),
    ],
    {
      inner: () =>
        nested().flatMap(({ name, scopes }) =>
          scopes.slice(0, 1).map((scope) => ({ label: labelWords(name), scope })),
        ),
      sets: () =>
        nested().map(({ name, items, scopes }): ScopeSet => {
          const types = items[0]?.types ?? [];
          return { labels: [name, ...types].map(labelWords), weight, scopes };
        }),
    },
  );
}

function ownCandidate(item: SchemaItem, name: string, weight: number): readonly Candidate[] {
  const values = item
    .values(name)
    .slice(0, MAX_VALUES)
    .flatMap((value) => textsOf(item, name, value));
  return values.length > 0 ? [{ label: labelWords(name), values, foundBy: "data", weight, node: -1 }] : [];
}

/** The value itself; for an item, its name. */
function textsOf(item: SchemaItem, name: string, value: unknown): readonly unknown[] {
  if (typeof value === "number" || typeof value === "boolean") return [value];
  const text = isJsonObject(value) ? nameOf(item, name, value) : plainText(value);
  return text === undefined ? [] : [text];
}

function nameOf(item: SchemaItem, name: string, value: unknown): string | undefined {
  const one = item.items(name).find(({ object }) => object === value) ?? item.items(name)[0];
  const steps = ["name", "text", "@value", "value", "url", "contentUrl", "ratingValue", "streetAddress"];
  return one?.text(...steps);
}

/** Values of nested items under both names joined, and also under their own name if it is unambiguous. */
function nestedCandidates({
  name,
  scopes,
}: {
  readonly name: string;
  readonly scopes: readonly Scope[];
}): readonly Candidate[] {
  const [only] = scopes;
  if (!only || (scopes.length > 1 && !TRANSPARENT.test(name))) return [];
  return only.candidates().flatMap((candidate) => {
    const label = labelWords(name);
    const qualified = {
      ...candidate,
      label: [...label, ...candidate.label],
      weight: candidate.weight * 0.97,
    };
    const isPlain = TRANSPARENT.test(name) && !ONLY_OF_ITEM.has(candidate.label.join(" "));
    return isPlain ? [qualified, { ...candidate, weight: candidate.weight * 0.95 }] : [qualified];
  });
}
