import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { OptionsSchema } from "../catalogue/capability.ts";
import type { CatalogueTool } from "../catalogue/tool-index.ts";

/** Parts of a tool that are only described on request. */
export type ToolPart = "options" | "response" | "examples";

/** Describes a tool to clients (contract, section 3.31). */
export function describeTool(
  { provider, capability }: CatalogueTool,
  parts: ReadonlySet<ToolPart>,
): Readonly<Record<string, unknown>> {
  const { id, name, description, whenToUse, creditsCost, perRecord, response, example } = capability;
  return {
    id: `${provider.id}/${id}`,
    name,
    provider: provider.id,
    capability: id,
    description,
    label: `${provider.name}: ${name}`,
    creditsCost: Math.ceil(creditsCost),
    perRecord,
    cohorts: provider.cohorts,
    ...(whenToUse !== undefined && { whenToUse }),
    ...(provider.attribution !== undefined && { attribution: provider.attribution }),
    ...(parts.has("options") && {
      options: listOptions(capability.options),
      ...groupsOf(capability.options),
    }),
    ...(parts.has("response") && response && { response }),
    ...(parts.has("examples") && {
      examples: examplesOf({ provider: provider.id, capability: id, options: example ?? {} }),
    }),
  };
}

function listOptions({ properties = {}, required = [], $defs }: OptionsSchema): readonly object[] {
  return Object.entries(properties).map(([name, declared]) => {
    const property = behindReference(declared, $defs);
    const { type = "any", description, enum: values, default: preset } = property;
    return {
      name,
      type,
      ...(required.includes(name) && { required: true }),
      ...(description !== undefined && { description }),
      ...(values !== undefined && { enum: values }),
      ...(preset !== undefined && { default: preset }),
    };
  });
}

/** Options of which one is needed: alternatives of the schema that require one option each. */
function groupsOf({ anyOf, oneOf, allOf }: OptionsSchema): object {
  const wholes = [{ anyOf, oneOf }, ...(Array.isArray(allOf) ? (allOf as OptionsSchema[]) : [])];
  const groups = wholes
    .flatMap(({ anyOf: any, oneOf: one }) => [any, one])
    .flatMap((alternatives) => {
      const names = (Array.isArray(alternatives) ? (alternatives as OptionsSchema[]) : []).map(
        ({ required }) => (required?.length === 1 ? required[0] : undefined),
      );
      return names.length > 1 && !names.includes(undefined) ? [names] : [];
    });
  return groups.length > 0 ? { requiresOneOf: groups } : {};
}

/** Follows a reference within the schema, and adds the members that stand beside it. */
function behindReference(property: unknown, definitions: unknown): Readonly<Record<string, unknown>> {
  const declared = Object(property) as Readonly<Record<string, unknown>>;
  const { $ref } = declared;
  if (typeof $ref !== "string") return declared;
  const name = $ref.replace("#/$defs/", "");
  return { ...ownProperty(Object(definitions) as Readonly<Record<string, object>>, name), ...declared };
}

/** The same call in three programming languages. */
function examplesOf(call: object): object {
  const json = JSON.stringify(call);
  return {
    javascript: `await client.scrape({ alexandria: ${json} });`,
    python: `requests.post(f"{base_url}/v2/scrape", json={"alexandria": json.loads(${JSON.stringify(json)})})`,
    curl: `curl -s "$BASE_URL/v2/scrape" -H 'content-type: application/json' -d '${JSON.stringify({ alexandria: call }).replaceAll("'", String.raw`'\''`)}'`,
  };
}
