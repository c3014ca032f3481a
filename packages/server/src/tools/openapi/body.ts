import { ownProperty } from "@pergamon-dev/kit/own-property";
import { resolveReference, Unusable } from "./document.ts";
import { isJsonObject, type JsonObject, listOf, objectOf, textOf } from "@pergamon-dev/kit/json";
import type { SchemaCopier } from "./schemas.ts";

/** The body of a request, and the options that it consists of. */
export interface Body {
  readonly type: "json" | "form" | "multipart";
  readonly contentType: string;
  /** Names of the options that are members of the body; undefined: the option `body` is the whole body. */
  readonly members: readonly string[] | undefined;
  /** Members that are files or lists of files. Each file is a `FilePart`. */
  readonly files: ReadonlySet<string>;
  readonly isRequired: boolean;
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

/** Name of the option that holds a whole body. */
const WHOLE = "body";

/**
 * Members of a plain object become options of their own, so that callers need not nest them.
 * @param taken names of parameters.
 * @throws Unusable when the body is required but is of a kind that cannot be sent.
 */
export function readBody(
  operation: JsonObject,
  {
    document,
    schemas,
    taken,
  }: { readonly document: JsonObject; readonly schemas: SchemaCopier; readonly taken: ReadonlySet<string> },
): Body | undefined {
  const declared = objectOf(resolveReference(operation["requestBody"], document));
  const kinds = objectOf(declared["content"]);
  const chosen = chooseKind(Object.keys(kinds));
  const isRequired = declared["required"] === true;
  if (!chosen) {
    if (!isRequired || Object.keys(kinds).length === 0) return undefined;
    throw new Unusable(`its body is ${Object.keys(kinds).join(" or ").slice(0, 200)}`);
  }
  const declaredSchema = objectOf(
    resolveReference(objectOf(ownProperty(kinds, chosen.contentType))["schema"], document),
  );
  const { schema, files } =
    chosen.type === "multipart"
      ? withFiles(declaredSchema, document)
      : { schema: declaredSchema, files: NONE };
  const members = objectOf(schema["properties"]);
  const names = Object.keys(members);
  const facts = { ...chosen, isRequired, files };
  if (isPlain(schema) && names.length > 0 && !names.some((name) => taken.has(name))) {
    const required = listOf(schema["required"]).filter((name) => typeof name === "string");
    return {
      ...facts,
      members: names,
      properties: objectOf(objectOf(schemas.copy({ type: "object", properties: members }))["properties"]),
      required: isRequired ? required : [],
    };
  }
  if (taken.has(WHOLE)) throw new Unusable("a parameter has the same name as its body");
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
  if (form !== undefined) return { type: "form", contentType: form };
  const multipart = contentTypes.find((type) => /^multipart\/form-data\b/i.test(type));
  return multipart === undefined ? undefined : { type: "multipart", contentType: multipart };
}

const NONE: ReadonlySet<string> = new Set();

/** The form in which callers pass a file. */
const FILE = {
  type: "object",
  properties: {
    base64: { type: "string", description: "Content of the file.", pattern: "^[A-Za-z0-9+/]*={0,2}$" },
    name: { type: "string", maxLength: 200, description: "File name that the provider receives." },
    type: { type: "string", maxLength: 200, description: "Media type of the file." },
  },
  required: ["base64"],
  additionalProperties: false,
} as const;

/** Replaces files in the schema by the form in which callers pass them, because JSON has no bytes. */
function withFiles(
  schema: JsonObject,
  document: JsonObject,
): { readonly schema: JsonObject; readonly files: ReadonlySet<string> } {
  const files = new Set<string>();
  const properties = Object.entries(objectOf(schema["properties"])).map(([name, property]) => {
    const declared = objectOf(resolveReference(property, document));
    const description = textOf(declared["description"]);
    const file = { ...FILE, ...(description !== undefined && { description }) };
    if (isFile(declared)) return [files.add(name) && name, file];
    if (!isFile(objectOf(resolveReference(declared["items"], document)))) return [name, property];
    return [files.add(name) && name, { type: "array", items: file }];
  });
  return { schema: { ...schema, properties: Object.fromEntries(properties) as JsonObject }, files };
}

/** Recognises files of OpenAPI 3.0 and of 3.1. */
function isFile({ type, format, contentMediaType, contentEncoding }: JsonObject): boolean {
  if (format === "binary" || format === "byte") return true;
  return type === "string" && (contentMediaType !== undefined || contentEncoding !== undefined);
}

/** True when the schema names all its members. */
function isPlain(schema: JsonObject): boolean {
  const isOpen = isJsonObject(schema["additionalProperties"]) || schema["additionalProperties"] === true;
  return (
    !isOpen && !["allOf", "anyOf", "oneOf", "patternProperties"].some((word) => Object.hasOwn(schema, word))
  );
}
