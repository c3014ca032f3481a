import type { McpFailure } from "./failure.ts";

export interface OutgoingMessage {
  readonly jsonrpc: "2.0";
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: object;
  readonly result?: object;
  readonly error?: object;
}

/** Receives the messages of a server. */
export interface Receiver {
  /** One parsed JSON message. */
  receive(message: unknown): void;
  /** No more messages will come. */
  end(failure: McpFailure): void;
}

/** A connection to a server. */
export interface Channel {
  /**
   * Sends a message. The signal ends the exchange that the message starts.
   * @returns `ended` when the channel knows that no answer can come any more.
   * @throws McpFailure.
   */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<"sent" | "ended">;
  /** Called when both sides have agreed on a protocol version and the server is ready. */
  ready(version: string): void;
  close(): Promise<void>;
}

/** Maximum size of a message, and of an answer over HTTP. */
export const MAX_MCP_MESSAGE_BYTES = 5 * 1024 * 1024;
