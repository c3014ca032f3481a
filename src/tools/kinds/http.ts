import { own } from "../../kit/own.ts";
import type { Guard } from "../../platform/net/guard.ts";
import { NetworkError } from "../../platform/net/network-error.ts";
import { callService, type ServiceAnswer, type ServiceCall } from "../../platform/net/service-call.ts";
import type { Capability, Options, Provider, ToolOutput } from "../catalogue/capability.ts";
import type { HttpCapability, HttpProvider } from "../catalogue/entry.ts";
import { ToolError } from "../catalogue/tool-error.ts";
import { pick, valueAt } from "./pick.ts";
import { providerFacts } from "./provider-facts.ts";

export interface HttpKindServices {
  readonly guard: Guard;
  /** Values of PROVIDER_SECRETS. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What one call may bring. */
const MOST_BYTES = 4 * 1024 * 1024;
const USER_AGENT = "Pergamon (self-hosted)";

/** A provider whose capabilities are declared requests. @throws Error when a secret is missing or an option is not declared. */
export function mountHttp(entry: HttpProvider, services: HttpKindServices): Provider {
  const headers = headersOf(entry, services.secrets);
  const capabilities = entry.capabilities.map((capability): Capability => {
    refuseUndeclared(entry.id, capability);
    return {
      ...capability,
      name: capability.name ?? capability.id,
      async execute(options, { signal }) {
        const call = composeCall(entry, capability, options);
        return read(
          await send({ ...call, headers: { ...headers, ...call.headers } }, services.guard, signal),
          capability,
        );
      },
    };
  });
  return { ...providerFacts(entry), capabilities };
}

function headersOf(
  { id, headers }: HttpProvider,
  secrets: HttpKindServices["secrets"],
): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => {
    if (typeof value === "string") return [name.toLowerCase(), value];
    const secret = own(secrets, value.$secret);
    if (secret === undefined) throw new Error(`${id}: PROVIDER_SECRETS has no ${value.$secret}.`);
    return [name.toLowerCase(), secret];
  });
  return { "user-agent": USER_AGENT, accept: "application/json", ...Object.fromEntries(given) };
}

/** A placeholder that no option fills would reach the provider as it is. */
function refuseUndeclared(provider: string, { id, options, request }: HttpCapability): void {
  const texts = [request.path, ...Object.values(request.query)];
  const named = texts.flatMap((text) => Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name));
  const declared = options["properties"] ?? {};
  const missing = [...named, ...(request.body ?? [])].find((name) => !Object.hasOwn(declared, name));
  if (missing !== undefined) throw new Error(`${provider} ${id}: ${missing} is no declared option.`);
}

const PLACEHOLDER = /\{([\w-]+)\}/g;

/** Options fill segments of the path, values of the query and the body; scheme, host and port are those of the base. */
function composeCall({ base }: HttpProvider, { request }: HttpCapability, options: Options): ServiceCall {
  const path = request.path.replaceAll(PLACEHOLDER, (_all, name: string) => segmentOf(options, name));
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/$/, "") + path;
  for (const [name, template] of Object.entries(request.query)) {
    const value = template.replaceAll(PLACEHOLDER, (_all, option: string) => textOf(own(options, option)));
    if (value !== "") url.searchParams.set(name, value);
  }
  if (!request.body) return { method: request.method, url, headers: {}, maxBytes: MOST_BYTES };
  const sent = request.body
    .filter((name) => Object.hasOwn(options, name))
    .map((name) => [name, own(options, name)]);
  const body = JSON.stringify(Object.fromEntries(sent));
  return {
    method: request.method,
    url,
    headers: { "content-type": "application/json" },
    body,
    maxBytes: MOST_BYTES,
  };
}

/** Dots alone would lead to another folder. */
function segmentOf(options: Options, name: string): string {
  const text = textOf(own(options, name));
  if (text === "" || /^\.{1,2}$/.test(text))
    throw new ToolError("invalid_options", `${name} cannot be ${JSON.stringify(text)}.`);
  return encodeURIComponent(text);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What the network says may name addresses; callers are told what kind of failure it was. */
async function send(call: ServiceCall, guard: Guard, signal: AbortSignal): Promise<ServiceAnswer> {
  try {
    return await callService(call, guard, signal);
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof NetworkError && failure.kind === "too-large") {
      throw new ToolError(
        "response_too_large",
        `The provider answered more than ${MOST_BYTES} bytes. Ask for less.`,
      );
    }
    throw new ToolError("upstream_unavailable", "The provider cannot be reached. Try again later.");
  }
}

function read({ status, body }: ServiceAnswer, { response }: HttpCapability): ToolOutput {
  if (status < 200 || status > 299) {
    throw new ToolError("upstream_error", `The provider answered with status ${status}.`, status);
  }
  const value = parse(Buffer.from(body).toString("utf8"), status);
  const records = response.records === undefined ? undefined : valueAt(value, response.records);
  return {
    data: pick(value, response.pick),
    upstreamStatus: status,
    ...(Array.isArray(records) && { records: records.length }),
  };
}

function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ToolError("upstream_error", "The provider answered what is no JSON.", status);
  }
}
