import type { Evidence } from "../structured/evidence.ts";
import { type Concept } from "./concepts.ts";
import { fill } from "./fill.ts";
import { askedFor } from "./likely.ts";
import { partsOfPage } from "./page-parts.ts";
import { scopeOfPage } from "./page-scope.ts";
import { readSchema } from "./read-schema.ts";
import type { Wanted } from "./wanted.ts";

/** The value that a JSON Schema asks for, as far as a page says it. Undefined when the page says nothing of it. */
export function extractJson(evidence: Evidence, schema: unknown, url: string): unknown {
  const wanted = readSchema(schema);
  const parts = partsOfPage(evidence, url);
  const scope = scopeOfPage(parts, conceptsOf(wanted, "", []));
  return fill(wanted, "", { scope, baseUrl: parts.baseUrl, around: [] }).value;
}

/** All concepts that a schema asks for. */
function conceptsOf(wanted: Wanted, name: string, around: readonly string[]): ReadonlySet<Concept> {
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
