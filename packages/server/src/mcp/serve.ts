import type { Readable, Writable } from "node:stream";
import type { Caller } from "../accounts/callers.ts";
import type { Config } from "../config/config.ts";
import type { Files } from "../files/files.ts";
import { openLink } from "../files/open-link.ts";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { Log } from "@pergamon-dev/kit/log/log";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { bringFiles } from "./local-files.ts";
import type { McpServices } from "./methods.ts";
import { answerMessage } from "./server.ts";
import { serveLines } from "./stdio.ts";
import { limits } from "../api/limits.ts";
import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import { errorReply, Message, type Reply, RpcError } from "./message.ts";

/** Longer than any work of the remote service takes. */
const PATIENCE_MS = limits.timeoutMs.maximum + 30_000;

/** The largest results are pictures of long pages. */
const REPLY_BOUNDS = { maxBytes: 64 * 1024 * 1024, maxValues: 200_000 } as const;

interface Lines {
  readonly input: Readable;
  readonly output: Writable;
}

interface ThreadedLines extends Lines {
  readonly thread: ForeignThread;
}

/** The service in this process, as far as tools need it. */
export interface McpHost extends McpServices {
  /** The user of the program has all permissions, like the team of open mode. */
  readonly caller: Caller;
  readonly files: Files;
  readonly log: Log;
  close(): Promise<void>;
}

/**
 * Speaks the Model Context Protocol with the client that started this process.
 * @param openHost is called unless the settings name a remote service.
 */
export async function serveMcp(
  config: Config,
  lines: Lines,
  openHost: () => Promise<McpHost>,
): Promise<void> {
  const thread = new ForeignThread();
  try {
    await serve(config, { ...lines, thread }, openHost);
  } finally {
    await thread.close();
  }
}

async function serve(config: Config, lines: ThreadedLines, openHost: () => Promise<McpHost>): Promise<void> {
  const { remoteUrl: url, remoteApiKey: apiKey } = config.mcp;
  if (url !== undefined) {
    return serveLines(lines, (message, signal) =>
      answerRemotely(message, { url, apiKey, thread: lines.thread }, signal),
    );
  }
  const host = await openHost();
  try {
    await serveLines(lines, (message, signal) => answerHere(message, host, signal));
  } finally {
    await host.close();
  }
}

function answerHere(message: unknown, host: McpHost, signal: AbortSignal) {
  return answerMessage(message, host, {
    caller: host.caller,
    linkBase: "",
    signal,
    bringFiles: (content) =>
      bringFiles(content, { open: (link) => openLink(link, host.files), folder: process.cwd() }),
    admit: async () => undefined,
    note: () => undefined,
    report(failure) {
      const id = uuidV7();
      host.log.error({ err: failure, errorId: id }, "A tool failed unexpectedly.");
      return id;
    },
  });
}

interface RemoteService {
  /** Without a slash at its end. */
  readonly url: string;
  readonly apiKey: string | undefined;
  /** Parses long replies. */
  readonly thread: ForeignThread;
}

/** Forwards a message to another service. A transport error becomes an error response. */
async function answerRemotely(
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
