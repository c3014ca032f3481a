import type { Evidence } from "../structured/evidence.ts";
import type { Concept } from "./concepts.ts";
import { type Extracted, extracted } from "./extracted.ts";
import { fill, type Place } from "./fill.ts";
import { withoutOrigins } from "./found.ts";
import { askedFor } from "./property-names.ts";
import { hintedPart, type HintedPage, Hints } from "./hints.ts";
import { type PageParts, partsOfPage } from "./page-parts.ts";
import { writesMonthFirst } from "./read-date.ts";
import { scopeOfBlock } from "./block-scope.ts";
import { openScope, type Scope } from "./scope.ts";
import { scopeOfPage } from "./page-scope.ts";
import { asksForNothing, readSchema } from "./schema/read-schema.ts";
import { schemaOfPrompt } from "./schema-of-prompt.ts";
import { dropIncomplete, emptyValue } from "./schema/drop-incomplete.ts";
import type { ValueShape } from "./schema/value-shape.ts";
import { plainText, type SchemaItem } from "../structured/schema-item.ts";
import { isJsonObject } from "@pergamon-dev/kit/json";
import { mainItems } from "./item-candidates.ts";

/** Extracts by schema, else by the names in the prompt; without both, what the page is about. */
export interface JsonRequest {
  readonly schema?: unknown;
  readonly prompt?: string | undefined;
}

/**
 * The requested value, as far as the page has it. Undefined if the page has nothing of it, or lacks something
 * that the schema requires.
 */
export function extractJson(
  evidence: Evidence,
  { schema, prompt }: JsonRequest,
  url: string,
  page?: HintedPage,
): Extracted {
  if (!asksForNothing(schema)) return bySchema(evidence, readSchema(schema), url, page);
  const named = prompt === undefined ? undefined : schemaOfPrompt(prompt);
  const found = named && bySchema(evidence, readSchema(named), url);
  return found && !isEmpty(found.value) ? found : extracted(ownEntities(evidence, url), []);
}

function bySchema(evidence: Evidence, wanted: ValueShape, url: string, page?: HintedPage): Extracted {
  const parts = partsOfPage(evidence, url);
  const part = page ? hintedPart(wanted) : "none";
  const hints = page && part !== "none" ? hintsOf(parts, page) : undefined;
  const place = { ...placeOf(parts, scopeOfPage(parts, conceptsOf(wanted, "", []))), hints, element: 0 };
  const { value, misfits } = fill(wanted, "", place);
  const whole = withoutOrigins(value === undefined ? emptyValue(wanted) : dropIncomplete(wanted, value));
  const found = { ...extracted(whole.value, misfits), origins: whole.origins };
  if (!hints) return found;
  const own = part === "every" ? value : fill(wanted, "", { ...place, scope: NO_SCOPE }).value;
  return {
    ...found,
    hinted: { value: withoutOrigins(own).value, isAll: part === "every" },
    warnings: hints.warnings,
  };
}

const NO_SCOPE = openScope(() => []);

function hintsOf(parts: PageParts, page: HintedPage): Hints {
  const isSame = parts.tree === page.tree;
  return new Hints(page, (element) => (isSame ? scopeOfBlock(parts, element, () => "") : NO_SCOPE));
}

function placeOf({ baseUrl, language }: PageParts, scope: Scope): Place {
  return { scope, baseUrl, isMonthFirst: writesMonthFirst(language), around: [] };
}

function isEmpty(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

function conceptsOf(wanted: ValueShape, name: string, around: readonly string[]): ReadonlySet<Concept> {
  if (wanted.kind === "scalar") {
    const { concept } = askedFor(name, wanted.description, around);
    return new Set(concept === undefined ? [] : [concept]);
  }
  if (wanted.kind === "list") return conceptsOf(wanted.items, name, around);
  const inner = name === "" ? around : [...around, name];
  return new Set(
    wanted.properties.flatMap((property) => [...conceptsOf(property.wanted, property.name, inner)]),
  );
}

const MAX_FACTS = 50;
const MAX_VALUES = 100;
const MAX_DEPTH = 4;
const TEXT = { type: "string" };
const USUAL = readSchema({
  type: "object",
  properties: { title: TEXT, description: TEXT, author: TEXT, datePublished: TEXT, image: TEXT },
});

/**
 * For requests without schema and prompt: the page's main item from its structured data, and labelled values.
 */
function ownEntities(evidence: Evidence, url: string): Readonly<Record<string, unknown>> {
  const parts = partsOfPage(evidence, url);
  const scope = scopeOfPage(parts, new Set(["title", "author", "published"]));
  const usual = withoutOrigins(fill(USUAL, "", placeOf(parts, scope)).value).value;
  const [main] = mainItems(parts);
  const facts = factsOf(evidence);
  return {
    ...(isJsonObject(usual) && usual),
    ...(main && plainItem(main, 0)),
    ...(Object.keys(facts).length > 0 && { facts }),
  };
}

function factsOf({ pairs }: Evidence): Readonly<Record<string, string>> {
  const told = pairs().filter(({ label, value }) => value.length <= 200 && /\p{L}/u.test(label));
  return Object.fromEntries(told.slice(0, MAX_FACTS).map(({ label, value }) => [label, value]));
}

/** An item as plain data, without the JSON-LD keywords (`@…`). */
function plainItem(item: SchemaItem, depth: number): Readonly<Record<string, unknown>> {
  const [type] = item.types;
  const names = Object.keys(item.object).filter((name) => !name.startsWith("@"));
  const entries = names.flatMap((name): [string, unknown][] => {
    const values = item
      .values(name)
      .slice(0, MAX_VALUES)
      .flatMap((value) => plainValue(item, name, value, depth));
    if (values.length === 0) return [];
    return [[name, values.length === 1 ? values[0] : values]];
  });
  return { ...(type !== undefined && { type }), ...Object.fromEntries(entries) };
}

function plainValue(item: SchemaItem, name: string, value: unknown, depth: number): readonly unknown[] {
  if (typeof value === "number" || typeof value === "boolean") return [value];
  if (!isJsonObject(value)) return [plainText(value) ?? []].flat();
  const inner =
    depth < MAX_DEPTH ? item.items(name)[item.values(name).filter(isJsonObject).indexOf(value)] : undefined;
  const plain = inner ? plainItem(inner, depth + 1) : {};
  return Object.keys(plain).length > 0 ? [plain] : [];
}
