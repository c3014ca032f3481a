import { resolveReference, Unusable } from "./document.ts";
import { isJsonObject, type JsonObject, listOf, objectOf, textOf } from "@pergamon-dev/kit/json";
import type { SchemaCopier } from "./schemas.ts";

export interface Parameter {
  /** Name in the document. */
  readonly name: string;
  /** Name of the option that callers set. */
  readonly option: string;
  readonly place: "path" | "query" | "header";
  readonly style: "plain" | "exploded" | "spaces" | "pipes" | "deep" | "json";
  readonly isRequired: boolean;
  readonly schema: unknown;
}

/** Headers that the service sets itself. */
const OURS =
  /^(?:authorization|proxy-.*|cookie|host|accept|accept-encoding|content-.*|connection|transfer-encoding|te|upgrade|user-agent)$/i;
const PLACES = new Set(["path", "query", "header"]);

/** Parameters of the path and the operation. Those of the operation win. @throws Unusable. */
export function readParameters(
  {
    path,
    operation,
    document,
  }: { readonly path: JsonObject; readonly operation: JsonObject; readonly document: JsonObject },
  schemas: SchemaCopier,
): readonly Parameter[] {
  const declared = [...listOf(path["parameters"]), ...listOf(operation["parameters"])].map((entry) =>
    objectOf(resolveReference(entry, document)),
  );
  const byName = new Map(declared.map((entry) => [`${String(entry["in"])} ${String(entry["name"])}`, entry]));
  const parameters: Parameter[] = [];
  for (const entry of byName.values()) {
    const parameter = readParameter(entry, schemas);
    if (!parameter) continue;
    const isTaken = parameters.some(({ option }) => option === parameter.option);
    const option = isTaken ? `${parameter.place}_${parameter.name}` : parameter.option;
    parameters.push({ ...parameter, option });
  }
  return parameters;
}

function readParameter(entry: JsonObject, schemas: SchemaCopier): Parameter | undefined {
  const name = textOf(entry["name"]);
  const place = entry["in"];
  const isRequired = entry["required"] === true || place === "path";
  if (name === undefined || typeof place !== "string")
    throw new Unusable("a parameter has no name or no location");
  if (!PLACES.has(place) || (place === "header" && (OURS.test(name) || !/^[\w-]+$/.test(name)))) {
    if (isRequired && place === "cookie")
      throw new Unusable(`it requires the cookie ${JSON.stringify(name)}`);
    return undefined;
  }
  const [content] = Object.values(objectOf(entry["content"]));
  const schema = objectOf(isJsonObject(content) ? content["schema"] : entry["schema"]);
  const description = textOf(entry["description"]);
  return {
    name,
    option: name,
    place: place as Parameter["place"],
    style: isJsonObject(content) ? "json" : styleOf(entry),
    isRequired,
    schema: { ...objectOf(schemas.copy(schema)), ...(description !== undefined && { description }) },
  };
}

/** Lists in a query repeat the name unless the document says otherwise. Elsewhere commas join them. */
function styleOf({ style, explode, in: place }: JsonObject): Parameter["style"] {
  if (style === "deepObject") return "deep";
  if (place !== "query") return "plain";
  if (style === "spaceDelimited" && explode !== true) return "spaces";
  if (style === "pipeDelimited" && explode !== true) return "pipes";
  return explode === false ? "plain" : "exploded";
}
