import { limits } from "../api/limits.ts";
import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { errorReply, Message, type Reply, RpcError } from "./message.ts";

interface RemoteService {
  /** Without a slash at its end. */
  readonly url: string;
  readonly apiKey: string | undefined;
  /** Parses long replies. */
  readonly thread: ForeignThread;
}

/** Longer than any work of the remote service takes. */
const PATIENCE_MS = limits.timeoutMs.maximum + 30_000;

/** The largest results are pictures of long pages. */
const REPLY_BOUNDS = { maxBytes: 64 * 1024 * 1024, maxValues: 200_000 } as const;

/** Forwards a message to another service. A transport error becomes an error response. */
export async function answerRemotely(
  message: unknown,
  service: RemoteService,
  signal: AbortSignal,
): Promise<Reply | undefined> {
  try {
    return await ask(message, service, signal);
  } catch (failure) {
    const { id = null } = Message.partial().safeParse(message).data ?? {};
    return errorReply(id, failure instanceof RpcError ? failure : unreachable(service, failure));
  }
}

async function ask(message: unknown, { url, apiKey, thread }: RemoteService, signal: AbortSignal) {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    redirect: "error",
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(message),
  });
  const text = await readBounded(response);
  if (response.status === 202) return undefined;
  return (await replyIn(text, thread, signal)) ?? refuse(response.status, text);
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body ?? []) {
    const bytes = chunk as Uint8Array;
    sizeBytes += bytes.byteLength;
    if (sizeBytes > REPLY_BOUNDS.maxBytes) {
      throw new RpcError("internalError", `The reply is longer than ${REPLY_BOUNDS.maxBytes} bytes.`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function replyIn(text: string, thread: ForeignThread, signal: AbortSignal): Promise<Reply | undefined> {
  try {
    const value = (await thread.parse(text, REPLY_BOUNDS, signal)) as Partial<Reply> | null;
    return value?.jsonrpc === "2.0" ? (value as Reply) : undefined;
  } catch (failure) {
    if (failure instanceof ForeignJsonError) return undefined;
    throw failure;
  }
}

/** Errors before the protocol layer, such as a missing key, have another form. */
function refuse(status: number, text: string): never {
  const hint = status === 401 ? " Set PERGAMON_API_KEY." : "";
  throw new RpcError("internalError", `The service answered ${status}: ${text.slice(0, 300)}.${hint}`);
}

function unreachable({ url }: RemoteService, failure: unknown): RpcError {
  const cause = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new RpcError("internalError", `${url} cannot be reached: ${reason}. Check PERGAMON_URL.`);
}
