import { own } from "../../kit/own.ts";
import { resolve, Unusable } from "./document.ts";
import { isObject, type JsonObject, listOf, objectOf } from "./json.ts";
import type { SchemaCopier } from "./schemas.ts";

/** What is sent along, and of which options it is made. */
export interface Body {
  readonly type: "json" | "form";
  readonly contentType: string;
  /** Names of the options that are its members; undefined: the option `body` is the whole. */
  readonly members: readonly string[] | undefined;
  readonly isRequired: boolean;
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

/** The option that is a whole body. */
const WHOLE = "body";

/**
 * Members of a plain object become options of their own, so that callers need not nest them.
 * @param taken names that parameters have.
 * @throws Unusable when the body is of a kind that cannot be sent, and has to be.
 */
export function readBody(
  operation: JsonObject,
  {
    document,
    schemas,
    taken,
  }: { readonly document: JsonObject; readonly schemas: SchemaCopier; readonly taken: ReadonlySet<string> },
): Body | undefined {
  const declared = objectOf(resolve(operation["requestBody"], document));
  const kinds = objectOf(declared["content"]);
  const chosen = chooseKind(Object.keys(kinds));
  const isRequired = declared["required"] === true;
  if (!chosen) {
    if (!isRequired || Object.keys(kinds).length === 0) return undefined;
    throw new Unusable(`its body is ${Object.keys(kinds).join(" or ").slice(0, 200)}`);
  }
  const schema = objectOf(resolve(objectOf(own(kinds, chosen.contentType))["schema"], document));
  const members = objectOf(schema["properties"]);
  const names = Object.keys(members);
  const facts = { ...chosen, isRequired };
  if (isPlain(schema) && names.length > 0 && !names.some((name) => taken.has(name))) {
    const required = listOf(schema["required"]).filter((name) => typeof name === "string");
    return {
      ...facts,
      members: names,
      properties: objectOf(objectOf(schemas.copy({ type: "object", properties: members }))["properties"]),
      required: isRequired ? required : [],
    };
  }
  if (taken.has(WHOLE)) throw new Unusable("a parameter has the name of its body");
  return {
    ...facts,
    members: undefined,
    properties: { [WHOLE]: schemas.copy(schema) },
    required: isRequired ? [WHOLE] : [],
  };
}

function chooseKind(contentTypes: readonly string[]): Pick<Body, "type" | "contentType"> | undefined {
  const json = contentTypes.find((type) => /^application\/(?:[\w.+-]+\+)?json\b/i.test(type));
  if (json !== undefined) return { type: "json", contentType: json };
  const form = contentTypes.find((type) => /^application\/x-www-form-urlencoded\b/i.test(type));
  return form === undefined ? undefined : { type: "form", contentType: form };
}

/** Of parts that are all named. */
function isPlain(schema: JsonObject): boolean {
  const isOpen = isObject(schema["additionalProperties"]) || schema["additionalProperties"] === true;
  return (
    !isOpen && !["allOf", "anyOf", "oneOf", "patternProperties"].some((word) => Object.hasOwn(schema, word))
  );
}
