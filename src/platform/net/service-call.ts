import type { Guard } from "./guard.ts";
import { collectBytes } from "./byte-collector.ts";
import { contentCodings, decodeContent } from "./decode-content.ts";
import { isRedirectStatus } from "./exchange.ts";
import { NetworkError } from "./network-error.ts";
import { pinnedTo } from "./pinned-lookup.ts";

/** A call of a service, such as an interface that the operator named. */
export interface ServiceCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Counted before and after content decoding. */
  readonly maxBytes: number;
}

export interface ServiceAnswer {
  readonly status: number;
  /** As it was said; empty when it was not. */
  readonly contentType: string;
  /** After content decoding. */
  readonly body: Uint8Array;
}

const MOST_REDIRECTS = 3;

/**
 * Calls a service that the guard admits. A GET is redirected within its origin, so that headers reach nobody else.
 * @throws NetworkError; whatever the client throws; the signal's reason once it is aborted.
 */
export async function callService(
  call: ServiceCall,
  guard: Guard,
  signal: AbortSignal,
): Promise<ServiceAnswer> {
  let { url } = call;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const { location, ...answer } = await exchange({ ...call, url }, guard, signal);
    if (location === undefined) return answer;
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (call.method !== "GET" || next?.origin !== call.url.origin) {
      throw new NetworkError("blocked", "The service sends its callers elsewhere.", { host: url.hostname });
    }
    url = next;
  }
  throw new NetworkError("too-many-redirects", `More than ${MOST_REDIRECTS} redirects.`, {
    host: url.hostname,
  });
}

async function exchange(
  { url, method, headers, body, maxBytes }: ServiceCall,
  guard: Guard,
  signal: AbortSignal,
) {
  const { addresses } = await guard.admit(url, signal);
  const { default: undici } = await import("undici");
  const dispatcher = new undici.Agent({ connect: { lookup: pinnedTo(addresses) } });
  try {
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
  } finally {
    await dispatcher.destroy();
  }
}
