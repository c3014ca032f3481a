import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { ServiceCall, ServiceCalls } from "../../net/service-call.ts";
import type { Capability, Options, ToolOutput } from "../catalogue/capability.ts";
import type { Provider } from "../catalogue/provider.ts";
import type { HttpCapability, HttpProvider } from "../catalogue/entry.ts";
import { callProvider, MAX_ANSWER_BYTES } from "./call-provider.ts";
import { accepted, parseAnswer } from "./parse-answer.ts";
import { providerFacts } from "./provider-facts.ts";
import { headersOf, type ProviderSecrets } from "./secrets.ts";
import { optionText, segmentOf } from "./segment.ts";

export interface HttpKindServices {
  readonly calls: ServiceCalls;
  readonly secrets: ProviderSecrets;
}

/**
 * Mounts a provider whose entry declares its requests.
 * @throws Error when a secret is missing or an option is not declared.
 */
export function mountHttp(entry: HttpProvider, services: HttpKindServices): Provider {
  const headers = headersOf(entry.id, entry.headers, services.secrets);
  const thread = new ForeignThread();
  const capabilities = entry.capabilities.map((capability): Capability => {
    refuseUndeclared(entry.id, capability);
    return {
      ...capability,
      name: capability.name ?? capability.id,
      async execute(options, { signal }) {
        const call = composeCall(entry, capability, options);
        const request = { ...call, headers: { ...headers, ...call.headers } };
        const { status, body } = accepted(await callProvider(request, services.calls, signal));
        const text = Buffer.from(body).toString("utf8");
        return outputOf(await parseAnswer({ text, status }, thread, signal), status, capability);
      },
    };
  });
  return { ...providerFacts(entry), capabilities };
}

/** A placeholder without an option would reach the provider literally. */
function refuseUndeclared(provider: string, { id, options, request }: HttpCapability): void {
  const texts = [request.path, ...Object.values(request.query)];
  const named = texts.flatMap((text) => Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name));
  const declared = options["properties"] ?? {};
  const missing = [...named, ...(request.body ?? [])].find((name) => !Object.hasOwn(declared, name));
  if (missing !== undefined) throw new Error(`${provider} ${id}: ${missing} is not a declared option.`);
}

const PLACEHOLDER = /\{([\w-]+)\}/g;

/**
 * Options fill path segments, query values and the body. Scheme, host and port always come from the base URL.
 */
function composeCall({ base }: HttpProvider, { request }: HttpCapability, options: Options): ServiceCall {
  const path = request.path.replaceAll(PLACEHOLDER, (_all, name: string) => segmentOf(options, name));
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/$/, "") + path;
  for (const [name, template] of Object.entries(request.query)) {
    const value = template.replaceAll(PLACEHOLDER, (_all, option: string) =>
      optionText(ownProperty(options, option)),
    );
    if (value !== "") url.searchParams.set(name, value);
  }
  if (!request.body) return { method: request.method, url, headers: {}, maxBytes: MAX_ANSWER_BYTES };
  const sent = request.body
    .filter((name) => Object.hasOwn(options, name))
    .map((name) => [name, ownProperty(options, name)]);
  const body = JSON.stringify(Object.fromEntries(sent));
  return {
    method: request.method,
    url,
    headers: { "content-type": "application/json" },
    body,
    maxBytes: MAX_ANSWER_BYTES,
  };
}

function outputOf(value: unknown, status: number, { response }: HttpCapability): ToolOutput {
  const records = response.records === undefined ? undefined : valueAt(value, response.records);
  return {
    data: pick(value, response.pick),
    upstreamStatus: status,
    ...(Array.isArray(records) && { records: records.length }),
  };
}

/**
 * Reads a path of names between dots, in which `*` visits each entry of a list. Undefined when nothing is
 * there.
 */
function valueAt(value: unknown, path: string): unknown {
  return path === "" ? value : descend(value, path.split("."));
}

function descend(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (name === "*") return Array.isArray(value) ? value.map((entry) => descend(entry, rest)) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  return descend(ownProperty(value as Readonly<Record<string, unknown>>, name), rest);
}

/** Keeps only the named paths; without paths everything stays. */
function pick(value: unknown, paths: Readonly<Record<string, string>> | undefined): unknown {
  if (!paths) return value;
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, valueAt(value, path)]));
}
