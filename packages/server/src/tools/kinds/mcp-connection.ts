import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { McpClient, type ClientOptions } from "../mcp-client/client.ts";
import { McpFailure } from "../mcp-client/failure.ts";
import { RateWindow } from "../mcp-client/rate-window.ts";

/** The time that a server has to get ready: programs may have to be fetched first. */
const CONNECT_LIMIT_MS = 30_000;
/** A server that ends again and again is left alone for a while. */
const STARTS = { most: 6, windowMs: 60 * 60_000 } as const;

interface ConnectionOptions extends ClientOptions {
  /** Whether each connection starts a program. */
  readonly isProgram: boolean;
}

/** A connection to a server, made at first use, kept, and made again when it was lost. */
export class McpConnection {
  readonly #options: ConnectionOptions;
  readonly #starts = new RateWindow(STARTS.most, STARTS.windowMs);
  readonly #closed = new AbortController();
  #client: Promise<McpClient> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** @throws McpFailure; the signal's reason. */
  async use<Result>(work: (client: McpClient) => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const client = await untilAborted(this.#connected(), signal);
    try {
      return await work(client);
    } catch (failure) {
      // A server that has forgotten us has done nothing of what it was asked.
      if (!(failure instanceof McpFailure) || failure.kind !== "no-session") throw failure;
      return work(await untilAborted(this.#connected(), signal));
    }
  }

  async close(): Promise<void> {
    this.#closed.abort(new McpFailure("unreachable", "The provider is closed."));
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  async #connected(): Promise<McpClient> {
    this.#closed.signal.throwIfAborted();
    const known = this.#client;
    const client = await known?.catch(() => undefined);
    if (client?.isOpen) return client;
    // Of all who wait for the lost one, the first makes the next.
    if (this.#client === known) this.#client = this.#connect();
    return this.#client ?? this.#connected();
  }

  async #connect(): Promise<McpClient> {
    if (this.#options.isProgram && this.#starts.exceeds()) {
      throw new McpFailure("unreachable", "The program exited too often within an hour.");
    }
    const tooLate = AbortSignal.timeout(CONNECT_LIMIT_MS);
    const ends = AbortSignal.any([this.#closed.signal, tooLate]);
    return McpClient.connect(this.#options, ends).catch((failure: unknown) => {
      throw failure instanceof McpFailure
        ? failure
        : new McpFailure(
            "unreachable",
            `The server was not ready within ${CONNECT_LIMIT_MS / 1000} seconds.`,
          );
    });
  }
}
