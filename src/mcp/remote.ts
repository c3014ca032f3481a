import { limits } from "../contract/limits.ts";
import { errorReply, Message, type Reply, RpcError } from "./message.ts";

/** A service that runs elsewhere. */
export interface RemoteService {
  /** Without a slash at its end. */
  readonly url: string;
  readonly apiKey: string | undefined;
}

/** Longer than any work there takes. */
const PATIENCE_MS = limits.timeoutMs.maximum + 30_000;

/** Has a message answered by another service; whatever goes wrong on the way is an answer too. */
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

async function ask(message: unknown, { url, apiKey }: RemoteService, signal: AbortSignal) {
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
  const text = await response.text();
  if (response.status === 202) return undefined;
  return replyIn(text) ?? refuse(response.status, text);
}

function replyIn(text: string): Reply | undefined {
  try {
    const value = JSON.parse(text) as Partial<Reply> | null;
    return value?.jsonrpc === "2.0" ? (value as Reply) : undefined;
  } catch {
    return undefined;
  }
}

/** What stands before the protocol speaks otherwise: who has no key, say. */
function refuse(status: number, text: string): never {
  const hint = status === 401 ? " Set PERGAMON_API_KEY." : "";
  throw new RpcError("internalError", `The service answered ${status}: ${text.slice(0, 300)}.${hint}`);
}

function unreachable({ url }: RemoteService, failure: unknown): RpcError {
  const cause = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new RpcError("internalError", `${url} cannot be reached: ${reason}. Look at PERGAMON_URL.`);
}
