import { RedisConnection } from "../redis/redis-connection.ts";
import { parseRedisUrl } from "../redis/redis-url.ts";

/** The server that is set, as this process reaches it: a connection after the other. */
export class RedisLink {
  readonly #url: string;
  #connection: RedisConnection | undefined;
  #looking: Promise<RedisConnection> | undefined;
  #isClosed = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Run of the server; empty while it is not reached, or cannot be used. */
  get server(): string {
    return this.connection?.server.run ?? "";
  }

  get connection(): RedisConnection | undefined {
    return this.#connection?.lost.aborted === false ? this.#connection : undefined;
  }

  /** Connects, or asks again. @throws when the server cannot be used. */
  look(): Promise<RedisConnection> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<RedisConnection> {
    const { connection } = this;
    if (this.#isClosed) throw new Error("The connection to Redis was closed.");
    if (!connection) return this.#connect();
    try {
      await connection.look();
      return connection;
    } catch (failure) {
      connection.close();
      throw failure;
    }
  }

  async #connect(): Promise<RedisConnection> {
    const opened = await RedisConnection.open(parseRedisUrl(this.#url));
    if (this.#isClosed) opened.close();
    this.#connection = opened;
    return opened;
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.close();
  }
}
