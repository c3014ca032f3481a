import type { Dialect, Habits, ModelCall, ModelEndpoint, ModelReply } from "./dialect.ts";
import { ModelFailure } from "./model-failure.ts";

/** A longer reply is no answer to anything that is asked here. */
const MOST_REPLY_BYTES = 4 * 1024 * 1024;

/** What is looked at of the reason that an endpoint gives. */
const DETAIL_LENGTH = 1000;

/** An endpoint and how it is spoken to. */
export interface SpokenEndpoint {
  readonly endpoint: ModelEndpoint;
  readonly dialect: Dialect;
}

/**
 * Asks an endpoint once. Its address is the operator's setting, so nothing guards the way there; redirects are not followed.
 * @throws ModelFailure when there is no reply; the signal's reason once it is aborted.
 */
export async function sendCall(
  call: ModelCall,
  { endpoint, dialect }: SpokenEndpoint,
  habits: Habits,
  signal: AbortSignal,
): Promise<ModelReply> {
  const { path, headers, body } = dialect.request(call, endpoint, habits);
  const { status, text, retryAfter } = await post(endpoint.baseUrl + path, signal, {
    headers: { "content-type": "application/json", ...headers, ...endpoint.headers },
    body: JSON.stringify(body),
  });
  if (status === 429 || status >= 500) {
    throw new ModelFailure("busy", `The language model answered ${status}.`, {
      retryAfterMs: waitOf(retryAfter),
    });
  }
  if (status !== 200) {
    const detail = text.slice(0, DETAIL_LENGTH);
    throw new ModelFailure("rejected", `The language model answered ${status}.`, { detail });
  }
  const reply = dialect.read(parsed(text));
  if (!reply) throw new ModelFailure("busy", "The language model's reply cannot be read.");
  if (reply.end === "refused") throw new ModelFailure("refused", "The language model refused to answer.");
  return reply;
}

interface RawReply {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

async function post(
  url: string,
  signal: AbortSignal,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<RawReply> {
  try {
    const response = await fetch(url, { method: "POST", redirect: "manual", signal, ...message });
    const text = await readBounded(response);
    return { status: response.status, text, retryAfter: response.headers.get("retry-after") };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ModelFailure) throw cause;
    throw new ModelFailure("busy", "The language model cannot be reached, or its reply broke off.", {
      cause,
    });
  }
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > MOST_REPLY_BYTES) throw new ModelFailure("wrong", "The language model's reply is too long.");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The header Retry-After in milliseconds: seconds, or a date. */
function waitOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
}
