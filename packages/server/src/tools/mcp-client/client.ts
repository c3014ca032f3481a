import { readVersion } from "../../api/version.ts";
import type { Channel, OutgoingMessage, Receiver } from "./channel.ts";
import { McpFailure } from "./failure.ts";
import { ToolCallResult, InitializeResult, ListResult, VERSIONS, type DeclaredTool } from "./messages.ts";
import { RateWindow } from "./rate-window.ts";

export interface ClientOptions {
  readonly open: (receiver: Receiver) => Channel;
  /** Called when the server reports a change of its tools. */
  readonly onToolsChanged: () => void;
}

/** Limit of unsolicited messages. A server that sends more is disconnected. */
const UNASKED = { most: 1000, windowMs: 10_000 } as const;
/** Maximum pages of a list; the next limit counts the tools of all pages. */
const MAX_PAGES = 50;
const MAX_TOOLS = 500;
const CLIENT_INFO = { name: "pergamon", version: readVersion() };

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (failure: Error) => void;
}

/** Lists and calls the tools of one server. Requests by the server are declined. */
export class McpClient implements Receiver {
  readonly #channel: Channel;
  readonly #onToolsChanged: () => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #unasked = new RateWindow(UNASKED.most, UNASKED.windowMs);
  #lastId = 0;
  #failure: McpFailure | undefined;

  private constructor({ open, onToolsChanged }: ClientOptions) {
    this.#onToolsChanged = onToolsChanged;
    this.#channel = open(this);
  }

  /** @throws McpFailure; the signal's reason. */
  static async connect(options: ClientOptions, signal: AbortSignal): Promise<McpClient> {
    const client = new McpClient(options);
    try {
      const params = { protocolVersion: VERSIONS[0], capabilities: {}, clientInfo: CLIENT_INFO };
      const { protocolVersion } = read(InitializeResult, await client.#request("initialize", params, signal));
      await client.#send({ jsonrpc: "2.0", method: "notifications/initialized" }, signal);
      client.#channel.ready(protocolVersion);
      return client;
    } catch (failure) {
      await client.close();
      throw failure;
    }
  }

  /** False once the connection has failed or was closed. */
  get isOpen(): boolean {
    return this.#failure === undefined;
  }

  /** Lists at most 500 tools, even if the server has more. @throws McpFailure; the signal's reason. */
  async listTools(signal: AbortSignal): Promise<readonly DeclaredTool[]> {
    const tools: DeclaredTool[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const answer = await this.#request("tools/list", cursor === undefined ? {} : { cursor }, signal);
      const { tools: page, nextCursor } = read(ListResult, answer);
      tools.push(...page);
      cursor = nextCursor === undefined || seen.has(nextCursor) ? undefined : nextCursor;
      if (cursor !== undefined) seen.add(cursor);
    } while (cursor !== undefined && seen.size < MAX_PAGES && tools.length < MAX_TOOLS);
    return tools.slice(0, MAX_TOOLS);
  }

  /** @throws McpFailure; the signal's reason. */
  async callTool(name: string, input: object, signal: AbortSignal): Promise<ToolCallResult> {
    return read(ToolCallResult, await this.#request("tools/call", { name, arguments: input }, signal));
  }

  async close(): Promise<void> {
    this.end(new McpFailure("unreachable", "The connection is closed."));
    await this.#channel.close();
  }

  receive(message: unknown): void {
    const { id, method, result, error } = Object(message) as Incoming;
    const waiting = method === undefined && typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (waiting) {
      this.#waiting.delete(id as number);
      if (error === undefined) waiting.resolve(result);
      else waiting.reject(refusalOf(error));
      return;
    }
    if (this.#failure) return;
    if (this.#unasked.exceeds()) {
      this.end(new McpFailure("protocol", "The server keeps sending messages that were not requested."));
      void this.#channel.close();
      return;
    }
    if (method === "notifications/tools/list_changed") this.#onToolsChanged();
    const isRequest = typeof method === "string" && (typeof id === "number" || typeof id === "string");
    if (isRequest) void this.#decline(method, id);
  }

  end(failure: McpFailure): void {
    this.#failure ??= failure;
    for (const { reject } of this.#waiting.values()) reject(failure);
    this.#waiting.clear();
  }

  async #decline(method: string, id: number | string): Promise<void> {
    const reply = method === "ping" ? { result: {} } : { error: { code: -32_601, message: "Not offered." } };
    // A server that does not get this reply asks again or gives up.
    await this.#send({ jsonrpc: "2.0", id, ...reply }, AbortSignal.timeout(10_000)).catch(() => undefined);
  }

  async #request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new AbortController();
    const ends = AbortSignal.any([signal, answered.signal]);
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      signal.addEventListener("abort", () => reject(signal.reason as Error), { signal: answered.signal });
    });
    void this.#ask({ jsonrpc: "2.0", id, method, params }, id, ends);
    try {
      return await answer;
    } catch (failure) {
      if (signal.aborted) this.#cancel(id);
      throw failure;
    } finally {
      this.#waiting.delete(id);
      answered.abort();
    }
  }

  /** Never rejects, because the waiting callers receive the failure. */
  async #ask(message: OutgoingMessage, id: number, signal: AbortSignal): Promise<void> {
    try {
      if ((await this.#send(message, signal)) === "sent") return;
      this.#giveUp(id, new McpFailure("lost", "The server ended without an answer."));
    } catch (failure) {
      this.#giveUp(id, failure as Error);
    }
  }

  async #send(message: OutgoingMessage, signal: AbortSignal): Promise<"sent" | "ended"> {
    if (this.#failure) throw this.#failure;
    return this.#channel.send(message, signal);
  }

  #giveUp(id: number, failure: Error): void {
    this.#waiting.get(id)?.reject(failure);
    if (failure instanceof McpFailure && failure.kind === "no-session") this.end(failure);
  }

  #cancel(id: number): void {
    const message = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason: "The caller stopped waiting." },
    } as const;
    this.#send(message, AbortSignal.timeout(1000)).catch(() => undefined);
  }
}

interface Incoming {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

function refusalOf(error: unknown): McpFailure {
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message?: unknown };
  const told = typeof message === "string" ? message : "The server refused without a reason.";
  return new McpFailure("refused", told, typeof code === "number" ? { code } : {});
}

function read<Output>(
  shape: { safeParse(value: unknown): { data?: Output | undefined; success: boolean } },
  value: unknown,
): Output {
  const parsed = shape.safeParse(value);
  if (parsed.success && parsed.data !== undefined) return parsed.data;
  throw new McpFailure("protocol", "The server's answer does not follow the protocol.");
}
