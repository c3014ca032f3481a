import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { ServiceCall, ServiceCalls } from "../../net/service-call.ts";
import type { Options, ToolOutput } from "../catalogue/capability.ts";
import type { Provider } from "../catalogue/provider.ts";
import type { OpenApiProvider } from "../catalogue/entry.ts";
import { type Listed, Listing } from "../catalogue/listing.ts";
import { ToolError } from "../catalogue/tool-error.ts";
import { MAX_DOCUMENT_BYTES, parseDocument } from "../openapi/document.ts";
import { type DocumentedOperation, readOperations } from "../openapi/operations.ts";
import type { SecretMask } from "../requests/secret-mask.ts";
import { callProvider, MAX_ANSWER_BYTES } from "./call-provider.ts";
import { isWanted, mountCapabilities } from "./mounted.ts";
import { accepted, parseAnswer } from "./parse-answer.ts";
import { providerFacts } from "./provider-facts.ts";
import { headersOf, type ProviderSecrets, secretOf } from "./secrets.ts";
import type { Parameter } from "../openapi/parameters.ts";
import type { SecurityScheme } from "../openapi/security.ts";
import { optionText, segmentOf } from "./segment.ts";
import type { Body } from "../openapi/body.ts";
import { listOf, objectOf, textOf as textIn } from "@pergamon-dev/kit/json";

export interface OpenApiKindServices {
  readonly calls: ServiceCalls;
  readonly secrets: ProviderSecrets;
  readonly mask: SecretMask;
  /** Folder that relative file names of entries resolve against. */
  readonly folder: string;
}

interface Mount extends OpenApiKindServices {
  readonly entry: OpenApiProvider;
  readonly headers: Readonly<Record<string, string>>;
  /** Name of a security scheme → its secret. */
  readonly values: ReadonlyMap<string, string>;
  readonly documentUrl: string | undefined;
  readonly thread: ForeignThread;
}

/**
 * Mounts a provider whose capabilities are the operations of a document, which is read at first use.
 * @throws Error when a secret or the file is missing.
 */
export function mountOpenApi(entry: OpenApiProvider, services: OpenApiKindServices): Provider {
  const { secrets, folder } = services;
  const documentUrl = /^https?:\/\//i.test(entry.document) ? entry.document : undefined;
  if (documentUrl === undefined) refuseMissing(entry.id, resolve(folder, entry.document));
  const values = Object.entries(entry.security).map(
    ([name, value]) => [name, secretOf(entry.id, value, secrets)] as const,
  );
  const headers = headersOf(entry.id, entry.headers, secrets);
  const mount = {
    ...services,
    entry,
    headers,
    values: new Map(values),
    documentUrl,
    thread: new ForeignThread(),
  };
  const listing = new Listing({ list: (signal) => list(mount, signal), close: async () => undefined });
  return {
    ...providerFacts(entry),
    listing,
    get capabilities() {
      return listing.capabilities;
    },
  };
}

function refuseMissing(provider: string, file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new Error(`${provider}: the document ${file} does not exist.`);
  if (found.size > MAX_DOCUMENT_BYTES) {
    throw new Error(`${provider}: ${file} is larger than ${MAX_DOCUMENT_BYTES} bytes.`);
  }
}

async function list(mount: Mount, signal: AbortSignal): Promise<Listed> {
  const { entry, values, documentUrl } = mount;
  const document = await parseDocument(await readDocument(mount, signal), mount.thread, signal);
  const { operations, leftOut } = readOperations(document, {
    base: entry.base,
    documentUrl,
    given: new Set(values.keys()),
    isWanted: (id) => isWanted(entry, id),
  });
  const [safe, unsafe] = partition(operations, (operation) => keepsSecrets(operation, mount));
  const declared = safe.map((operation) => ({
    id: operation.id,
    name: operation.name ?? operation.id,
    description: operation.description,
    readOnly: operation.method === "GET",
    options: operation.options,
    execute: (options: Options, context: { readonly signal: AbortSignal }) =>
      execute(operation, options, mount, context.signal),
  }));
  const elsewhere = unsafe.map(
    ({ id, server }) =>
      `${id}: the secrets must not be sent to its server ${server}: set base, or list the server in PROVIDER_SECRETS`,
  );
  return mountCapabilities(entry, { declared, leftOut: [...leftOut, ...elsewhere] }, mount.mask);
}

async function readDocument(
  { entry, headers, folder, calls }: Mount,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (!/^https?:\/\//i.test(entry.document)) return readFile(resolve(folder, entry.document), { signal });
  const url = new URL(entry.document);
  const call = { method: "GET", url, headers, maxBytes: MAX_DOCUMENT_BYTES } as const;
  const { status, body } = await calls.call(call, signal);
  if (status !== 200) throw new Error(`The request for the document was answered with status ${status}.`);
  return body;
}

/** A document from the network must not send secrets anywhere but to its own origin. */
function keepsSecrets({ server }: DocumentedOperation, { entry, documentUrl, secrets }: Mount): boolean {
  const hasSecrets = Object.keys(entry.headers).length + Object.keys(entry.security).length > 0;
  if (documentUrl === undefined && !isListed(server, entry, secrets)) return false;
  if (!hasSecrets || entry.base !== undefined || documentUrl === undefined) return true;
  return new URL(server).origin === new URL(documentUrl).origin;
}

/** Whether PROVIDER_SECRETS allows the server of a local document for all secrets of the entry. */
function isListed(server: string, entry: OpenApiProvider, secrets: ProviderSecrets): boolean {
  const { host } = new URL(server);
  return [...Object.values(entry.headers), ...Object.values(entry.security)].every((value) => {
    const hosts = typeof value === "string" ? undefined : ownProperty(secrets, value.$secret)?.hosts;
    return hosts?.includes(host) ?? true;
  });
}

function partition<Item>(items: readonly Item[], holds: (item: Item) => boolean): readonly [Item[], Item[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))];
}

async function execute(
  operation: DocumentedOperation,
  options: Options,
  { calls, headers, values, thread }: Mount,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const credentials = operation.security.map((scheme) => ({
    ...scheme,
    secret: values.get(scheme.name) ?? "",
  }));
  const call = await composeOperation(operation, options, credentials);
  const request = { ...call, headers: { ...call.headers, ...headers } };
  const { status, contentType, body } = accepted(await callProvider(request, calls, signal));
  const text = Buffer.from(body).toString("utf8");
  if (text === "") return { data: null, upstreamStatus: status };
  if (/\bjson\b/i.test(contentType) || contentType === "")
    return { data: await parseAnswer({ text, status }, thread, signal), upstreamStatus: status };
  if (/^text\/|\bxml\b/i.test(contentType)) return { data: text, upstreamStatus: status };
  throw new ToolError("upstream_error", "The provider's answer is neither JSON nor text.", status);
}

/** A security scheme with its secret. */
interface Credential extends SecurityScheme {
  readonly secret: string;
}

/** Builds the request of an operation. Scheme, host and port always come from its server. */
async function composeOperation(
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
