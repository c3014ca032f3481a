import { LRUCache } from "lru-cache";
import type { Agent } from "undici";

import type { Guard } from "./guard/guard.ts";
import { collectBytes } from "@pergamon-dev/kit/byte-collector";
import { contentCodings, decodeContent } from "./decode-content.ts";
import { isRedirectStatus } from "./exchange.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import { openServiceAgent } from "./outbound.ts";

/** A call to a service, such as an API that the operator named. */
export interface ServiceCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** Applies both before and after content decoding. */
  readonly maxBytes: number;
}

export interface ServiceAnswer {
  readonly status: number;
  /** As received; empty when the header is missing. */
  readonly contentType: string;
  /** After content decoding. */
  readonly body: Uint8Array;
}

const MAX_REDIRECTS = 3;

/**
 * An idle connection is closed before most services would close it, so that they do not close it during a
 * call.
 */
const KEEP_ALIVE_MS = 1500;
/** Maximum number of services called at the same time. */
const MAX_AGENTS = 64;

/**
 * Calls services that the guard admits. Connections are kept briefly, each for one origin at the judged
 * addresses.
 */
export class ServiceCalls {
  readonly #guard: Guard;
  readonly #agents = new LRUCache<string, Agent>({
    max: MAX_AGENTS,
    // Running calls may end first.
    dispose: (agent) => void agent.close().catch(() => undefined),
  });

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  /**
   * Redirects of a GET are followed only within its origin, so that its headers reach no other server.
   * @throws NetworkError; errors of the client; the signal's reason once it is aborted.
   */
  async call(call: ServiceCall, signal: AbortSignal): Promise<ServiceAnswer> {
    let { url } = call;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const { location, ...answer } = await this.#exchange({ ...call, url }, signal);
      if (location === undefined) return answer;
      const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      if (call.method !== "GET" || next?.origin !== call.url.origin) {
        throw new NetworkError("blocked", "The service sends its callers elsewhere.", { host: url.hostname });
      }
      url = next;
    }
    throw new NetworkError("too-many-redirects", `More than ${MAX_REDIRECTS} redirects.`, {
      host: url.hostname,
    });
  }

  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  async #exchange({ url, method, headers, body, maxBytes }: ServiceCall, signal: AbortSignal) {
    const { addresses } = await this.#guard.admit(url, signal);
    const { default: undici } = await import("undici");
    const key = JSON.stringify([url.origin, addresses]);
    const dispatcher =
      this.#agents.get(key) ??
      openServiceAgent(undici, { target: url, addresses }, { keepAliveTimeout: KEEP_ALIVE_MS });
    this.#agents.set(key, dispatcher);
    const answer = await undici.request(url, { method, dispatcher, signal, headers, body: body ?? null });
    const collected = collectBytes(maxBytes);
    for await (const chunk of answer.body) collected.add(chunk as Uint8Array);
    const codings = contentCodings(String(answer.headers["content-encoding"] ?? ""));
    const isRedirect = isRedirectStatus(answer.statusCode);
    return {
      status: answer.statusCode,
      contentType: String(answer.headers["content-type"] ?? ""),
      location: isRedirect ? String(answer.headers["location"] ?? "") || undefined : undefined,
      body: await decodeContent(collected.bytes(), codings, maxBytes),
    };
  }
}
