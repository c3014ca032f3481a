import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { ServiceCall } from "../../net/service-call.ts";
import type { Options } from "../catalogue/capability.ts";
import type { DocumentedOperation } from "../openapi/operations.ts";
import type { Parameter } from "../openapi/parameters.ts";
import type { SecurityScheme } from "../openapi/security.ts";
import { MAX_ANSWER_BYTES } from "./call-provider.ts";
import { optionText, segmentOf } from "./segment.ts";
import type { Body } from "../openapi/body.ts";
import { listOf, objectOf, textOf as textIn } from "@pergamon-dev/kit/json";

/** A security scheme with its secret. */
interface Credential extends SecurityScheme {
  readonly secret: string;
}

/** Builds the request of an operation. Scheme, host and port always come from its server. */
export async function composeOperation(
  { method, server, path, parameters, body }: DocumentedOperation,
  options: Options,
  credentials: readonly Credential[],
): Promise<ServiceCall> {
  const url = new URL(server);
  const segments = path.replaceAll(/\{([^{}]*)\}/g, (_all, name: string) => {
    const parameter = parameters.find((one) => one.place === "path" && one.name === name);
    return segmentOf(options, parameter?.option ?? name);
  });
  url.pathname = url.pathname.replace(/\/$/, "") + segments;
  const headers = new Map<string, string>();
  for (const parameter of parameters)
    place(parameter, ownProperty(options, parameter.option), { url, headers });
  for (const credential of credentials) tell(credential, { url, headers });
  const sent = body && (await encodeBody(body, options));
  if (sent) headers.set("content-type", sent.contentType);
  const facts = { method, url, headers: Object.fromEntries(headers), maxBytes: MAX_ANSWER_BYTES };
  return { ...facts, body: sent?.content };
}

interface Target {
  readonly url: URL;
  readonly headers: Map<string, string>;
}

function place(parameter: Parameter, value: unknown, { url, headers }: Target): void {
  if (value === undefined || value === null || parameter.place === "path") return;
  if (parameter.place === "header") {
    // Headers cannot carry line breaks and the like, so everything but tabs and printable ASCII is
    // percent-encoded.
    headers.set(parameter.name.toLowerCase(), joined(value, ",").replaceAll(/[^\t -~]+/g, encodeText));
    return;
  }
  for (const [name, text] of queryPairs(parameter, value)) url.searchParams.append(name, text);
}

/** Lone surrogates cannot be encoded, so they become the replacement character U+FFFD. */
function encodeText(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function queryPairs({ name, style }: Parameter, value: unknown): readonly (readonly [string, string])[] {
  const isMany = typeof value === "object" && value !== null;
  if (!isMany || style === "json")
    return [[name, style === "json" ? JSON.stringify(value) : optionText(value)]];
  if (style === "spaces") return [[name, joined(value, " ")]];
  if (style === "pipes") return [[name, joined(value, "|")]];
  if (style === "plain") return [[name, joined(value, ",")]];
  if (Array.isArray(value)) return value.map((entry) => [name, optionText(entry)]);
  return Object.entries(value).map(([key, entry]) => [
    style === "deep" ? `${name}[${key}]` : key,
    optionText(entry),
  ]);
}

function joined(value: unknown, separator: string): string {
  if (Array.isArray(value)) return value.map(optionText).join(separator);
  if (typeof value !== "object" || value === null) return optionText(value);
  return Object.entries(value)
    .flatMap(([key, entry]) => [key, optionText(entry)])
    .join(separator);
}

function tell({ place: where, field, prefix, secret }: Credential, { url, headers }: Target): void {
  if (where === "query") url.searchParams.set(field, secret);
  else
    headers.set(
      field.toLowerCase(),
      prefix + (prefix === "Basic " ? Buffer.from(secret).toString("base64") : secret),
    );
}

interface EncodedBody {
  readonly contentType: string;
  readonly content: string | Uint8Array;
}

/** Encodes the body in the media type that the document requires. Undefined when no option belongs to it. */
async function encodeBody(body: Body, options: Options): Promise<EncodedBody | undefined> {
  const { type, contentType, members, isRequired } = body;
  const value = members ? membersOf(members, options) : ownProperty(options, "body");
  if (value === undefined || (!isRequired && members && Object.keys(value as object).length === 0))
    return undefined;
  if (type === "json") return { contentType, content: JSON.stringify(value) };
  if (type === "multipart") return encodeParts(objectOf(value), body.files);
  const pairs = Object.entries(objectOf(value)).map(([name, entry]): [string, string] => [
    name,
    optionText(entry),
  ]);
  return { contentType, content: new URLSearchParams(pairs).toString() };
}

function membersOf(names: readonly string[], options: Options): object {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(options, name)).map((name) => [name, ownProperty(options, name)]),
  );
}

/**
 * Lists become parts with the same name. Parts that are neither text nor files are JSON (OpenAPI 3.1, section
 * 4.8.14.4).
 */
async function encodeParts(
  members: Readonly<Record<string, unknown>>,
  files: ReadonlySet<string>,
): Promise<EncodedBody> {
  const form = new FormData();
  for (const [name, value] of Object.entries(members)) {
    for (const entry of Array.isArray(value) ? listOf(value) : [value]) {
      if (files.has(name)) appendFile(form, name, objectOf(entry));
      else if (typeof entry === "object" && entry !== null) {
        form.append(name, new Blob([JSON.stringify(entry)], { type: "application/json" }));
      } else form.append(name, optionText(entry));
    }
  }
  const encoded = new Response(form);
  const contentType = encoded.headers.get("content-type") ?? "";
  return { contentType, content: new Uint8Array(await encoded.arrayBuffer()) };
}

function appendFile(form: FormData, name: string, file: Readonly<Record<string, unknown>>): void {
  const bytes = Buffer.from(textIn(file["base64"]) ?? "", "base64");
  const type = textIn(file["type"]) ?? "application/octet-stream";
  form.append(name, new Blob([bytes], { type }), textIn(file["name"]) ?? name);
}
