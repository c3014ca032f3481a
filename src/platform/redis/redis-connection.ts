import type { RedisClientType } from "@redis/client";

import { readServer, type RedisServer } from "./redis-server.ts";
import type { RedisAddress } from "./redis-url.ts";

/** A program that runs on the server without anything in between. */
export interface RedisScript {
  readonly text: string;
  readonly sha1: string;
}

export type RedisAnswer = string | number | null;

const CONNECT_LIMIT_MS = 2000;
/** A server that answers later is not used any more. */
const ANSWER_LIMIT_MS = 1000;

/**
 * One connection to one run of a server: it is never made again by itself, so what was agreed over it is about the same
 * data. Once a command is not answered in time the connection is lost.
 */
export class RedisConnection {
  readonly server: RedisServer;
  readonly #client: RedisClientType;
  readonly #lost = new AbortController();

  private constructor(client: RedisClientType, server: RedisServer) {
    this.#client = client;
    this.server = server;
    client.on("error", (failure) => this.#lose(failure));
    client.on("end", () => this.#lose(new Error("The connection to Redis has ended.")));
  }

  /** @throws when the server cannot be reached, or cannot be used. */
  static async open({ host, port, user, password, database, tls }: RedisAddress): Promise<RedisConnection> {
    // NOTE: the bundle has the whole alone, and what runs the sources the parts alone.
    const { default: whole, ...parts } = await import("@redis/client");
    const { createClient } = { ...whole, ...parts };
    const socket = { host, port, connectTimeout: CONNECT_LIMIT_MS, reconnectStrategy: false as const };
    const client: RedisClientType = createClient({
      RESP: 3,
      ...(user !== undefined && { username: user }),
      ...(password !== undefined && { password }),
      database,
      disableOfflineQueue: true,
      // Another server must never take the place of this one unnoticed.
      maintNotifications: "disabled",
      socket: tls ? { ...socket, tls: true, ...(tls.ca !== undefined && { ca: tls.ca }) } : socket,
    });
    // Each failure is also that of a command; without a listener it would end the process.
    client.on("error", () => undefined);
    try {
      const answered = client.connect().then(() => client.sendCommand(["INFO"]));
      const info = plain(await inTime(answered, CONNECT_LIMIT_MS));
      return new RedisConnection(client, readServer(String(info)));
    } catch (failure) {
      if (client.isOpen) client.destroy();
      throw failure;
    }
  }

  /** Aborted when nothing is heard from the server any more. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** @throws when the server refuses, or the connection is lost. */
  async run(
    { text, sha1 }: RedisScript,
    keys: readonly string[],
    values: readonly string[],
  ): Promise<RedisAnswer> {
    const rest = [String(keys.length), ...keys, ...values];
    try {
      return await this.#ask(["EVALSHA", sha1, ...rest]);
    } catch (failure) {
      if (!(failure instanceof Error) || !failure.message.startsWith("NOSCRIPT")) throw failure;
      return this.#ask(["EVAL", text, ...rest]);
    }
  }

  async send(...command: readonly string[]): Promise<RedisAnswer> {
    return this.#ask(command);
  }

  /** Until the connection is lost. */
  async hear(channel: string, listener: (text: string) => void): Promise<void> {
    await this.#inTime(() => this.#client.subscribe(channel, listener));
  }

  async unhear(channel: string): Promise<void> {
    await this.#inTime(() => this.#client.unsubscribe(channel));
  }

  /** @throws when the server cannot be used any more. */
  async look(): Promise<void> {
    const { run } = readServer(String(await this.#ask(["INFO"])));
    if (run !== this.server.run) throw new Error("Another server answers on the connection to Redis.");
  }

  close(): void {
    this.#lose(new Error("The connection to Redis was closed."));
  }

  async #ask(command: readonly string[]): Promise<RedisAnswer> {
    return plain(await this.#inTime(() => this.#client.sendCommand([...command])));
  }

  async #inTime<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.lost.throwIfAborted();
    try {
      return await inTime(ask(), ANSWER_LIMIT_MS);
    } catch (failure) {
      if (failure instanceof LateError) this.#lose(failure);
      // The client's own words for it say less.
      throw this.lost.aborted ? this.lost.reason : failure;
    }
  }

  #lose(cause: unknown): void {
    if (this.lost.aborted) return;
    this.#lost.abort(cause);
    if (this.#client.isOpen) this.#client.destroy();
  }
}

function plain(answer: unknown): RedisAnswer {
  if (answer === null || typeof answer === "string" || typeof answer === "number") return answer;
  throw new Error("Redis answers with something else than was asked for.");
}

class LateError extends Error {}

async function inTime<Answer>(answer: Promise<Answer>, limitMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // What came in while this process was busy is read before it counts as late.
    const isLate = () =>
      setImmediate(() => setImmediate(reject, new LateError(`No answer from Redis within ${limitMs} ms.`)));
    timer = setTimeout(isLate, limitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    // No caller waits for it any longer.
    answer.catch(() => undefined);
  }
}
