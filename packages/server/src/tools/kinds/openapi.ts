import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";

import { ownProperty } from "@pergamon-dev/kit/own-property";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { ServiceCalls } from "../../net/service-call.ts";
import type { Options, ToolOutput } from "../catalogue/capability.ts";
import type { Provider } from "../catalogue/provider.ts";
import type { OpenApiProvider } from "../catalogue/entry.ts";
import { Listing, type Listed } from "../catalogue/listing.ts";
import { ToolError } from "../catalogue/tool-error.ts";
import { MAX_DOCUMENT_BYTES, parseDocument } from "../openapi/document.ts";
import { type DocumentedOperation, readOperations } from "../openapi/operations.ts";
import type { SecretMask } from "../requests/secret-mask.ts";
import { callProvider } from "./call-provider.ts";
import { isWanted, mountCapabilities } from "./mounted.ts";
import { composeOperation } from "./openapi-request.ts";
import { accepted, parseAnswer } from "./parse-answer.ts";
import { providerFacts } from "./provider-facts.ts";
import { headersOf, secretOf, type ProviderSecrets } from "./secrets.ts";

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
