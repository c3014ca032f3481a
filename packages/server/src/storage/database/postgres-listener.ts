import { randomUUID } from "node:crypto";

import { Client } from "pg";

import { type PostgresClock, SERVER_TIME } from "./postgres-clock.ts";
import { hasNoAnswer } from "./postgres-failures.ts";
import { clientConfig } from "./postgres-pool.ts";
import type { PostgresAddress } from "./postgres-url.ts";

/** Minimum interval between notifications of other processes: of topics, and that anything was written. */
const TELL_TOPICS_MS = 5;
const TELL_WRITES_MS = 50;
/** Topics of one notification, which the server limits to 8,000 bytes. */
const MAX_TOPICS = 50;
/**
 * Interval at which others are assumed to have written without a notification, because a dying process sends
 * none.
 */
const UNHEARD_MS = 1000;
const RECONNECT_MS = 500;
/** Limit for one answer. The queries here take a millisecond. */
const ANSWER_LIMIT_MS = 10_000;

/**
 * Learns of writes by other processes, and notifies them of its own, by NOTIFY over a dedicated connection.
 */
export class PostgresListener {
  readonly #address: PostgresAddress;
  readonly #clock: PostgresClock;
  readonly #id = randomUUID();
  #client: Client | undefined;
  #connecting: Promise<void> | undefined;
  #foreignWrites = 1;
  #isTold = true;
  readonly #topics = new Set<string>();
  readonly #listeners = new Map<string, Set<(sender: string) => void>>();
  #timer: NodeJS.Timeout | undefined;
  #isUrgent = false;
  #ticks: NodeJS.Timeout | undefined;
  #reconnecting: NodeJS.Timeout | undefined;
  #isClosed = false;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param clock is measured regularly over this connection. */
  constructor(address: PostgresAddress, clock: PostgresClock) {
    this.#address = address;
    this.#clock = clock;
  }

  /** Connects, if the server is reachable. */
  async connect(): Promise<void> {
    this.#start();
    await this.#connecting;
  }

  /** Changes once another process may have written, and at every read while there is no connection. */
  get foreignWrites(): number {
    this.#start();
    if (!this.#client) this.#foreignWrites += 1;
    return this.#foreignWrites;
  }

  /** @returns a function that ends the subscription. */
  hear(topic: string, listener: (sender: string) => void): () => void {
    this.#start();
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Reports a write of this process. */
  wrote(topics: Iterable<string> = []): void {
    for (const topic of topics) this.#topics.add(topic);
    this.#isTold = false;
    if (this.#isClosed) return;
    const isUrgent = this.#topics.size > 0;
    if (isUrgent && !this.#isUrgent) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    this.#isUrgent = isUrgent;
    const tell = () => {
      this.#timer = undefined;
      if (!this.#isTold) this.#tell();
    };
    this.#timer ??= setTimeout(tell, isUrgent ? TELL_TOPICS_MS : TELL_WRITES_MS).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#ticks);
    clearTimeout(this.#reconnecting);
    await this.#connecting?.catch(() => undefined);
    if (!this.#isTold) await this.#notify().catch(() => undefined);
    await this.#client?.end().catch(() => undefined);
    this.#client = undefined;
  }

  #tell(): void {
    this.#start();
    this.#isTold = this.#client !== undefined;
    this.#notify().catch(() => {
      this.#isTold = false;
    });
  }

  async #notify(): Promise<void> {
    const client = this.#client;
    if (!client) return;
    const topics = [...this.#topics];
    this.#topics.clear();
    for (let from = 0; from === 0 || from < topics.length; from += MAX_TOPICS) {
      const payload = [this.#id, ...topics.slice(from, from + MAX_TOPICS)].join(" ");
      await this.#inTurn(client, () => client.query("SELECT pg_notify($1, $2)", [this.#channel, payload]));
    }
  }

  get #channel(): string {
    return `pergamon_${this.#address.schema}`;
  }

  #start(): void {
    if (this.#isClosed || this.#connecting) return;
    this.#ticks ??= setInterval(() => this.#tick(), UNHEARD_MS).unref();
    this.#connecting = this.#connect().catch(() => this.#again());
  }

  #tick(): void {
    this.#foreignWrites += 1;
    const client = this.#client;
    if (!client) return;
    this.#inTurn(client, () =>
      this.#clock.measure(async () => Number((await client.query<{ ms: number }>(SERVER_TIME)).rows[0]?.ms)),
    ).catch(() => undefined);
  }

  /**
   * Sends one query at a time over a connection. After a missing answer no more queries follow, because a new
   * connection replaces it.
   */
  #inTurn<Answer>(client: Client, ask: () => Promise<Answer>): Promise<Answer> {
    const answered = this.#turn.then(ask);
    this.#turn = answered.catch((failure: unknown) => {
      if (hasNoAnswer(failure)) this.#again(client);
    });
    return answered;
  }

  async #connect(): Promise<void> {
    const client = new Client({ ...clientConfig(this.#address), query_timeout: ANSWER_LIMIT_MS });
    client.on("error", () => undefined);
    client.once("end", () => this.#again(client));
    client.on("notification", ({ payload = "" }) => this.#hear(payload));
    await client.connect();
    // The next tick makes up for a message that a crash of the server loses, so a message need not wait for
    // the disk.
    await client.query(`SET synchronous_commit = off; LISTEN ${this.#channel}`);
    if (this.#isClosed) return client.end();
    this.#client = client;
    this.#foreignWrites += 1;
    if (!this.#isTold) this.#tell();
  }

  #hear(payload: string): void {
    const [sender = "", ...topics] = payload.split(" ");
    if (sender === this.#id) return;
    this.#foreignWrites += 1;
    for (const topic of topics) for (const listener of this.#listeners.get(topic) ?? []) listener(sender);
  }

  /**
   * Opens exactly one new connection, although the end of the old one may be reported twice: on its error and
   * on its close.
   */
  #again(ended?: Client): void {
    if (this.#client && this.#client !== ended) return;
    this.#client?.end().catch(() => undefined);
    this.#client = undefined;
    this.#turn = Promise.resolve();
    this.#foreignWrites += 1;
    this.#reconnecting ??= setTimeout(() => {
      this.#reconnecting = undefined;
      this.#connecting = undefined;
      this.#start();
    }, RECONNECT_MS).unref();
  }
}
