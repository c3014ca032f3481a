import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { collectBytes } from "@pergamon-dev/kit/byte-collector";
import type { Guard } from "../../net/guard/guard.ts";
import { NetworkError } from "@pergamon-dev/kit/network-error";
import { type OpenedService, openService } from "../../net/open-service.ts";
import { type Channel, MAX_MCP_MESSAGE_BYTES, type OutgoingMessage, type Receiver } from "./channel.ts";
import { McpFailure } from "./failure.ts";
import { parseMessage } from "./read-message.ts";
import { LineSplitter } from "./line-splitter.ts";

interface ServerOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly guard: Guard;
  /** Parses large messages. */
  readonly thread: ForeignThread;
}

/** Codes of failures that happen before anything is sent. */
const BEFORE_SENDING =
  /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED)/;
/** Maximum wait for the server to end a session. */
const GOODBYE_MS = 1000;
const JSON_AND_EVENTS = "application/json, text/event-stream";

/** Connects to a server over streamable HTTP. */
export class ServerChannel implements Channel {
  readonly #options: ServerOptions;
  readonly #receiver: Receiver;
  readonly #closed = new AbortController();
  #session = "";
  #version = "";

  constructor(options: ServerOptions, receiver: Receiver) {
    this.#options = options;
    this.#receiver = receiver;
  }

  async send(message: OutgoingMessage, signal: AbortSignal): Promise<"ended"> {
    const { answer, close } = await this.#open("POST", signal, JSON.stringify(message));
    try {
      this.#session ||= answer.header("mcp-session-id").slice(0, 1000);
      await this.#hear(answer, MAX_MCP_MESSAGE_BYTES, signal);
      return "ended";
    } catch (failure) {
      throw lostOf(failure, signal);
    } finally {
      await close();
    }
  }

  ready(version: string): void {
    this.#version = version;
    // Listens for messages that the server sends on its own. Many servers send none and refuse the request.
    void this.#listen().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closed.abort(new McpFailure("unreachable", "The connection is closed."));
    if (this.#session === "") return;
    const { url, guard } = this.#options;
    const goodbye = openService(
      { method: "DELETE", url, headers: this.#headers() },
      guard,
      AbortSignal.timeout(GOODBYE_MS),
    );
    await goodbye.then((answer) => answer.close()).catch(() => undefined);
  }

  async #listen(): Promise<void> {
    const { answer, close } = await this.#open("GET", this.#closed.signal);
    try {
      if (answer.status === 200 && isEvents(answer))
        await this.#hear(answer, Number.POSITIVE_INFINITY, this.#closed.signal);
    } finally {
      await close();
    }
  }

  async #open(method: "GET" | "POST", signal: AbortSignal, body?: string) {
    const { url, guard } = this.#options;
    const ends = AbortSignal.any([signal, this.#closed.signal]);
    const headers = { ...this.#headers(), ...(body !== undefined && { "content-type": "application/json" }) };
    const answer = await openService({ method, url, headers, body }, guard, ends).catch((cause: unknown) => {
      ends.throwIfAborted();
      throw unreachableOf(cause);
    });
    return { answer, close: () => answer.close() };
  }

  #headers(): Readonly<Record<string, string>> {
    return {
      ...this.#options.headers,
      accept: JSON_AND_EVENTS,
      ...(this.#session && { "mcp-session-id": this.#session }),
      ...(this.#version && { "mcp-protocol-version": this.#version }),
    };
  }

  async #hear(answer: OpenedService, maxBytes: number, signal: AbortSignal): Promise<void> {
    const { status } = answer;
    const hear = async (text: string) =>
      this.#receiver.receive(await parseMessage(text, this.#options.thread, signal));
    if (status === 404 && this.#session)
      throw new McpFailure("no-session", "The server has ended the session.");
    if (status < 200 || status > 299) {
      const hint = status === 401 ? SIGN_IN : "";
      throw new McpFailure("protocol", `The server answered with status ${status}.${hint}`, { code: status });
    }
    if (status === 202 || status === 204) return;
    if (isEvents(answer)) {
      for await (const text of readEvents(answer.chunks, maxBytes)) await hear(text);
      return;
    }
    const collected = collectBytes(maxBytes);
    for await (const chunk of answer.chunks) collected.add(chunk);
    const bytes = collected.bytes();
    if (bytes.byteLength > 0) await hear(Buffer.from(bytes).toString("utf8"));
  }
}

const SIGN_IN =
  " It requires authentication: set a token as the authorization header. OAuth is not supported.";

function isEvents(answer: OpenedService): boolean {
  return answer.header("content-type").startsWith("text/event-stream");
}

/** Other network messages may name addresses of private hosts, so only those of a NetworkError are quoted. */
function unreachableOf(cause: unknown): McpFailure {
  const what = cause instanceof NetworkError ? cause.message : "No answer.";
  const { code } = Object(cause) as { readonly code?: unknown };
  // A server that received the request before the connection broke may have carried it out.
  const wasSent = !(cause instanceof NetworkError) && !BEFORE_SENDING.test(String(code));
  return new McpFailure(wasSent ? "lost" : "unreachable", `The server cannot be reached. ${what}`, { cause });
}

function lostOf(failure: unknown, signal: AbortSignal): unknown {
  if (failure instanceof McpFailure || signal.aborted) return failure;
  if ((failure instanceof NetworkError && failure.kind === "too-large") || failure instanceof RangeError) {
    return new McpFailure("too-large", `The answer is larger than ${MAX_MCP_MESSAGE_BYTES} bytes.`);
  }
  return new McpFailure("lost", "The connection closed before the answer was complete.", { cause: failure });
}

/**
 * Yields the data of server-sent events.
 * @throws RangeError when one event, or all of them together, are too long.
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string> {
  const splitter = new LineSplitter(MAX_MCP_MESSAGE_BYTES);
  let data: string[] = [];
  /** Characters of the current event, including line ends. */
  let eventCharacters = 0;
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw new RangeError("The stream is too long.");
    for (const line of splitter.split(chunk)) {
      if (line.startsWith("data:")) data.push(line.slice("data:".length).trimStart());
      eventCharacters += line.length + 1;
      if (eventCharacters > MAX_MCP_MESSAGE_BYTES) throw new RangeError("The event is too long.");
      if (line !== "") continue;
      eventCharacters = 0;
      if (data.length === 0) continue;
      yield data.join("\n");
      data = [];
    }
  }
  if (data.length > 0) yield data.join("\n");
}
