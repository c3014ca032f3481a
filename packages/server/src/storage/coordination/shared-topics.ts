import type { Database, Statements } from "../database/database.ts";
import { lastOfSequence, nextOfSequence } from "../database/sequences.ts";
import { leaseClockOf, MAX_LEASE_MS } from "./lease-clock.ts";
import { Topics } from "./topics.ts";
import type { BatchWriter } from "../database/batch-writer.ts";

export interface TopicParts {
  readonly database: Database;
  readonly writer: BatchWriter<Statements>;
  /** Who tells: this process hears what it says without the database. */
  readonly sender: string;
  readonly onError: (failure: unknown) => void;
}

const LOOK_INTERVAL_MS = 50;
/** Every process that hears has looked by then. */
const KEPT_MS = 60_000;
const SEQUENCE = "messages";

/** Messages in the table of that name. It is read only while there are listeners, and then only when others have written. */
export class SharedTopics {
  readonly #parts: TopicParts;
  readonly #topics = new Topics();
  #timer: NodeJS.Timeout | undefined;
  /** Number of the last message; undefined when it is not known yet. */
  #last: number | undefined;
  #isLooking = false;
  #seenWrites: number | undefined;

  constructor(parts: TopicParts) {
    this.#parts = parts;
  }

  async tell(topic: string, text: string): Promise<void> {
    const nowMs = leaseClockOf(this.#parts.database)();
    await this.#parts.writer.order(async (inside) => {
      const sequence = await nextOfSequence(inside, SEQUENCE, 1);
      await inside
        .prepared("INSERT INTO messages (sequence, topic, text, sender, told_at) VALUES (?, ?, ?, ?, ?)")
        .run(sequence, topic, text, this.#parts.sender, nowMs);
      await inside
        .prepared("DELETE FROM messages WHERE told_at < ? OR told_at > ?")
        .run(nowMs - KEPT_MS, nowMs + MAX_LEASE_MS);
    });
    this.#topics.tell(topic, text);
  }

  hear(topic: string, listener: (text: string) => void): () => void {
    const end = this.#topics.hear(topic, listener);
    this.#timer ??= this.#lookAgainAndAgain();
    return () => {
      end();
      if (!this.#topics.isHeard) this.close();
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #lookAgainAndAgain(): NodeJS.Timeout {
    this.#last = undefined;
    this.#look();
    return setInterval(() => this.#look(), LOOK_INTERVAL_MS).unref();
  }

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#lookOnce()
      .catch(this.#parts.onError)
      .finally(() => {
        this.#isLooking = false;
      });
  }

  async #lookOnce(): Promise<void> {
    const writes = this.#parts.database.foreignWrites?.();
    const isSeen = writes !== undefined && writes === this.#seenWrites && this.#last !== undefined;
    if (!isSeen) await this.#hearNew(writes);
  }

  async #hearNew(writes: number | undefined): Promise<void> {
    const { database, sender } = this.#parts;
    this.#last ??= await lastOfSequence(database, SEQUENCE);
    const messages = await database
      .prepared<{ sequence: number; topic: string; text: string; sender: string }>(
        "SELECT sequence, topic, text, sender FROM messages WHERE sequence > ? ORDER BY sequence",
      )
      .all(this.#last);
    for (const message of messages) {
      this.#last = message.sequence;
      if (message.sender !== sender) this.#topics.tell(message.topic, message.text);
    }
    this.#seenWrites = writes;
  }
}
