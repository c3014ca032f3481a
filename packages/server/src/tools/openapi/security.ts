import { ownProperty } from "@pergamon-dev/kit/own-property";
import { resolveReference, Unusable } from "./document.ts";
import { type JsonObject, listOf, objectOf, textOf } from "@pergamon-dev/kit/json";

export interface SecurityScheme {
  /** Name under which the operator gives the secret. */
  readonly name: string;
  readonly place: "header" | "query";
  /** Name of the header or query value. */
  readonly field: string;
  /** Precedes the secret in the header. */
  readonly prefix: "" | "Bearer " | "Basic ";
}

/**
 * Chooses the first security requirement for which every secret is configured. If none is configured and the
 * operation allows anonymous calls, there is no scheme.
 * @throws Unusable when secrets are missing.
 */
export function readSecurity(
  operation: JsonObject,
  { document, given }: { readonly document: JsonObject; readonly given: ReadonlySet<string> },
): readonly SecurityScheme[] {
  const declared = Object.hasOwn(operation, "security") ? operation["security"] : document["security"];
  const ways = listOf(declared).map((way) => Object.keys(objectOf(way)));
  if (ways.length === 0) return [];
  const open = ways.filter((names) => names.every((name) => given.has(name)));
  const chosen = open.find((names) => names.length > 0) ?? open[0];
  if (chosen) return chosen.map((name) => readScheme(name, document));
  const wanted = ways.map((names) => names.join(" and ")).join(" or ");
  throw new Unusable(`it requires a secret: set security for ${wanted.slice(0, 200)}`);
}

function readScheme(name: string, document: JsonObject): SecurityScheme {
  const schemes = objectOf(objectOf(document["components"])["securitySchemes"]);
  const scheme = objectOf(resolveReference(ownProperty(schemes, name), document));
  if (scheme["type"] === "apiKey") return apiKeyScheme(name, scheme);
  const isBasic = scheme["type"] === "http" && String(scheme["scheme"]).toLowerCase() === "basic";
  const isBearer =
    scheme["type"] === "oauth2" ||
    scheme["type"] === "openIdConnect" ||
    (scheme["type"] === "http" && String(scheme["scheme"]).toLowerCase() === "bearer");
  if (!isBasic && !isBearer)
    throw new Unusable(`its security scheme ${JSON.stringify(name)} is not supported`);
  return { name, place: "header", field: "authorization", prefix: isBasic ? "Basic " : "Bearer " };
}

function apiKeyScheme(name: string, scheme: JsonObject): SecurityScheme {
  const field = textOf(scheme["name"]);
  const place = scheme["in"];
  if (field === undefined || (place !== "header" && place !== "query")) {
    throw new Unusable(`its security scheme ${JSON.stringify(name)} is not supported`);
  }
  if (place === "header" && !/^[\w-]+$/.test(field))
    throw new Unusable("the name of its key is not a valid header name");
  return { name, place, field, prefix: "" };
}
