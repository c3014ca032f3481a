import type { Dispatcher } from "undici";

import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import type {
  Dialect,
  Habits,
  ModelCall,
  ModelEndpoint,
  ModelReply,
  ModelRequest,
  TokenUse,
} from "./dialect.ts";
import { outboundDispatcher } from "../../net/outbound.ts";
import { ModelFailure } from "./model-failure.ts";
import { estimatedUse } from "./token-ledger.ts";

/** No valid answer needs a longer reply. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/** Dialects that report details of each token need more values than the answer has. */
const REPLY_BOUNDS = { maxBytes: MAX_REPLY_BYTES, maxValues: 100_000 } as const;

/** Maximum characters of an endpoint's error message that are examined. */
const DETAIL_LENGTH = 1000;

/** An endpoint with its dialect. */
export interface SpokenEndpoint {
  readonly endpoint: ModelEndpoint;
  readonly dialect: Dialect;
  /** Parses the replies of the endpoint. */
  readonly thread: ForeignThread;
  /** Called with the tokens of each call. */
  book(use: TokenUse): Promise<void>;
}

/**
 * Sends one call to an endpoint. The operator sets the address, so no network guard applies; redirects are
 * not followed.
 * @throws ModelFailure when there is no reply; the signal's reason once it is aborted.
 */
export async function sendCall(
  call: ModelCall,
  spoken: SpokenEndpoint,
  habits: Habits,
  signal: AbortSignal,
): Promise<ModelReply> {
  // An endpoint that breaks off, or that is given up, has read the question and may charge for it.
  const bookQuestion = () => spoken.book(estimatedUse(call));
  const response = await post(spoken, spoken.dialect.request(call, spoken.endpoint, habits), signal).catch(
    async (failure: unknown) => {
      if (signal.aborted) await bookQuestion();
      throw failure;
    },
  );
  if (response.statusCode !== 200) throw await failureOf(response, signal);
  const text = await readBounded(response, signal).catch(async (failure: unknown) => {
    await bookQuestion();
    throw failure;
  });
  const reply = spoken.dialect.read(await parsed(text, spoken.thread, signal));
  await spoken.book(reply?.use ?? estimatedUse(call, text));
  if (!reply) throw new ModelFailure("busy", "The language model's reply cannot be read.");
  if (reply.end === "refused") throw new ModelFailure("refused", "The language model refused to answer.");
  return reply;
}

/** The headers accept no compression, because replies are only a few kilobytes. */
const HEADERS = { "content-type": "application/json", accept: "application/json", "user-agent": "pergamon" };

/** Uses the client below `fetch`, because `fetch` takes twice its CPU time. */
async function post(
  { endpoint }: SpokenEndpoint,
  { path, headers, body }: ModelRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { default: undici } = await import("undici");
  try {
    const dispatcher = outboundDispatcher(undici, endpoint.baseUrl);
    return await undici.request(endpoint.baseUrl + path, {
      ...(dispatcher && { dispatcher }),
      method: "POST",
      signal,
      headers: { ...HEADERS, ...headers, ...endpoint.headers },
      body: JSON.stringify(body),
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new ModelFailure("busy", "The language model cannot be reached.", { cause });
  }
}

/** Classifies an error response. */
async function failureOf(response: Dispatcher.ResponseData, signal: AbortSignal): Promise<ModelFailure> {
  const { statusCode: status, headers } = response;
  const words = `The language model answered ${status}.`;
  const text = await readBounded(response, signal);
  const kind = status === 429 || status >= 500 ? "busy" : "rejected";
  const retryAfterMs = kind === "busy" ? waitOf(headers["retry-after"]) : undefined;
  return new ModelFailure(kind, words, { status, retryAfterMs, detail: text.slice(0, DETAIL_LENGTH) });
}

async function readBounded({ body }: Dispatcher.ResponseData, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      const bytes = chunk as Uint8Array;
      size += bytes.byteLength;
      if (size > MAX_REPLY_BYTES) throw new ModelFailure("wrong", "The language model's reply is too long.");
      chunks.push(bytes);
    }
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ModelFailure) throw cause;
    throw new ModelFailure("busy", "The language model's reply broke off.", { cause });
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Undefined for invalid JSON, or for too many values. */
async function parsed(text: string, thread: ForeignThread, signal: AbortSignal): Promise<unknown> {
  recordWork("model");
  try {
    return await thread.parse(text, REPLY_BOUNDS, signal);
  } catch (failure) {
    if (failure instanceof ForeignJsonError) return undefined;
    throw failure;
  }
}

/** Returns the Retry-After header, in seconds or as a date, in milliseconds. */
function waitOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== "string") return undefined;
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
}
