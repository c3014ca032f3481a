import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { ServiceCall } from "../../net/service-call.ts";
import type { Options } from "../catalogue/capability.ts";
import type { DocumentedOperation } from "../openapi/operations.ts";
import type { Parameter } from "../openapi/parameters.ts";
import type { SecurityScheme } from "../openapi/security.ts";
import { MAX_ANSWER_BYTES } from "./call-provider.ts";
import { encodeBody } from "./openapi-body.ts";
import { segmentOf, optionText } from "./segment.ts";

/** A scheme and its secret. */
export interface Credential extends SecurityScheme {
  readonly secret: string;
}

/** An operation as a request. Scheme, host and port are always those of its server. */
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
    // Line breaks and the like cannot be sent.
    headers.set(parameter.name.toLowerCase(), joined(value, ",").replaceAll(/[^\t -~]+/g, encodeText));
    return;
  }
  for (const [name, text] of queryPairs(parameter, value)) url.searchParams.append(name, text);
}

/** Halves of characters cannot be encoded: they become the sign for what is unreadable. */
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
