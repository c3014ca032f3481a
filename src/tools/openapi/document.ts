import { own } from "../../kit/own.ts";
import { isObject, type JsonObject } from "./json.ts";

/** Larger documents are refused. */
export const MOST_DOCUMENT_BYTES = 10 * 1024 * 1024;

/** A reference that leads to a reference, and so on. */
const MOST_HOPS = 20;

/** Why an operation cannot be called. */
export class Unusable extends Error {
  override readonly name = "Unusable";
}

/** @throws Error when the text is no OpenAPI document of version 3. */
export function parseDocument(bytes: Uint8Array): JsonObject {
  if (bytes.byteLength > MOST_DOCUMENT_BYTES) {
    throw new Error(`The document is larger than ${MOST_DOCUMENT_BYTES} bytes.`);
  }
  const document = parseJson(Buffer.from(bytes).toString("utf8"));
  const version = isObject(document) ? document["openapi"] : undefined;
  if (!isObject(document) || typeof version !== "string" || !version.startsWith("3.")) {
    throw new Error("The document is no OpenAPI document of version 3.");
  }
  return document;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch (cause) {
    throw new Error("The document is no JSON. Convert YAML to JSON first.", { cause });
  }
}

/** What stands there, behind however many references. @throws Unusable. */
export function resolve(node: unknown, document: JsonObject): unknown {
  let found = node;
  for (let hops = 0; isObject(found) && typeof found["$ref"] === "string"; hops += 1) {
    if (hops === MOST_HOPS) throw new Unusable("its references lead in a circle");
    found = lookUp(found["$ref"], document);
  }
  return found;
}

/** @param reference a JSON pointer into the same document. @throws Unusable. */
export function lookUp(reference: string, document: JsonObject): unknown {
  if (reference === "#") return document;
  if (!reference.startsWith("#/")) throw new Unusable(`it refers to another document, ${shorten(reference)}`);
  let found: unknown = document;
  for (const part of reference.slice(2).split("/")) {
    const name = decode(part);
    if (Array.isArray(found))
      found = /^\d+$/.test(name) ? (found as readonly unknown[])[Number(name)] : undefined;
    else found = isObject(found) ? own(found, name) : undefined;
  }
  if (found === undefined) throw new Unusable(`it refers to ${shorten(reference)}, which is not there`);
  return found;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return part;
  }
}

function shorten(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
