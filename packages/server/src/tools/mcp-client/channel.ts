import type { McpFailure } from "./failure.ts";

/** A message as it is sent. */
export interface OutgoingMessage {
  readonly jsonrpc: "2.0";
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: object;
  readonly result?: object;
  readonly error?: object;
}

/** Who hears what a server sends. */
export interface Receiver {
  /** One message, as JSON. */
  receive(message: unknown): void;
  /** Nothing comes any more. */
  end(failure: McpFailure): void;
}

/** A way to a server. */
export interface Channel {
  /**
   * Sends a message. The signal ends what is under way because of it.
   * @returns `ended` when no answer can come any more, where that is known.
   * @throws McpFailure.
   */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<"sent" | "ended">;
  /** Both sides have agreed on a version, and the server is ready. */
  ready(version: string): void;
  close(): Promise<void>;
}

/** Largest message, and largest answer over HTTP. */
export const MAX_MCP_MESSAGE_BYTES = 5 * 1024 * 1024;
