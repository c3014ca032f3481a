import type { Evidence } from "../structured/evidence.ts";
import type { Concept } from "./concepts.ts";
import { type Extracted, extracted } from "./extracted.ts";
import { fill } from "./fill.ts";
import { askedFor } from "./property-names.ts";
import { ownEntities } from "./own-entities.ts";
import { partsOfPage } from "./page-parts.ts";
import { scopeOfPage } from "./page-scope.ts";
import { asksForNothing, readSchema } from "./schema/read-schema.ts";
import { schemaOfPrompt } from "./schema-of-prompt.ts";
import { emptyValue, dropIncomplete } from "./schema/drop-incomplete.ts";
import type { ValueShape } from "./schema/value-shape.ts";

/** The values to extract: those of a schema, or what a prompt names; without both, what the page is about. */
export interface JsonRequest {
  readonly schema?: unknown;
  readonly prompt?: string | undefined;
}

/**
 * The value that is requested, as far as a page says it. Undefined when the page has nothing of it, or not all that the
 * schema requires.
 */
export function extractJson(evidence: Evidence, { schema, prompt }: JsonRequest, url: string): Extracted {
  if (!asksForNothing(schema)) return bySchema(evidence, readSchema(schema), url);
  const named = prompt === undefined ? undefined : schemaOfPrompt(prompt);
  const found = named && bySchema(evidence, readSchema(named), url);
  return found && !isEmpty(found.value) ? found : extracted(ownEntities(evidence, url), []);
}

function bySchema(evidence: Evidence, wanted: ValueShape, url: string): Extracted {
  const parts = partsOfPage(evidence, url);
  const scope = scopeOfPage(parts, conceptsOf(wanted, "", []));
  const { value, misfits } = fill(wanted, "", { scope, baseUrl: parts.baseUrl, around: [] });
  return extracted(value === undefined ? emptyValue(wanted) : dropIncomplete(wanted, value), misfits);
}

function isEmpty(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

/** All concepts that a schema asks for. */
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
