import { setTimeout as pause } from "node:timers/promises";

import type { WebSocket } from "ws";

import type { Caller } from "../../accounts/callers.ts";
import {
  type DocumentSource,
  type DocumentTexts,
  readTexts,
  statusFacts,
} from "../../families/runs/run-status.ts";
import type { PlacedRun } from "../../job-runs/run-place.ts";
import { getRun } from "../../job-runs/run-rows.ts";

/** A run that is watched, by whom. */
export interface WatchedRun extends PlacedRun {
  readonly caller: Caller;
  readonly records: DocumentSource;
  /** Why the connection ends, when the run has. */
  readonly farewell: "done" | "closed";
}

const CATCHUP_DOCUMENTS = 100;
/** Read at once for one who watches: some have little to read, and there may be many. */
const DOCUMENTS_AT_ONCE = 10;
/** What is unsent of one connection before it waits. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
const SLOW_READER_MS = 100;
/** How often a run that other processes work on is looked at. */
const LOOK_MS = 1000;

/** Tells a connection what becomes of a run, until that has ended (contract of the families, section 5). */
export class RunFeed {
  readonly #socket: WebSocket;
  readonly #watched: WatchedRun;
  #position = 0;
  /** Wakes the feed, when it waits. */
  #wake: () => void = () => undefined;

  constructor(socket: WebSocket, watched: WatchedRun) {
    this.#socket = socket;
    this.#watched = watched;
  }

  async tell(): Promise<void> {
    const { place, run } = this.#watched;
    const forget = place.watch(run.id, () => this.#wake());
    this.#socket.once("close", () => this.#wake());
    try {
      for (let isFirst = true; this.#isOpen; isFirst = false) {
        const changed = this.#nextChange();
        const hasEnded = await this.#tellNews(isFirst);
        if (hasEnded) return;
        await changed;
      }
    } finally {
      forget();
    }
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** The state is read before the documents: when it says that the run has ended, they are all there. */
  async #tellNews(isFirst: boolean): Promise<boolean> {
    const { place, run: first } = this.#watched;
    const run = await getRun(place.database, first.id);
    if (!run || run.isPurged) throw new Error("The run is not there any more.");
    const facts = statusFacts(run, place);
    const hasEnded = run.state !== "scraping";
    if (isFirst) await this.#catchUp(facts);
    while (this.#isOpen) {
      await this.#readerHasRoom();
      const { texts, hasMore } = await this.#read(DOCUMENTS_AT_ONCE);
      for (const text of texts) this.#socket.send(`{"type":"document","data":${text}}`);
      if (!hasMore) break;
    }
    if (hasEnded) this.#end(facts);
    return hasEnded;
  }

  /** Clients take an end in this message as the end of all: it is told only when every document is in it. */
  async #catchUp(facts: ReturnType<typeof statusFacts>): Promise<void> {
    const { texts, hasMore } = await this.#read(CATCHUP_DOCUMENTS);
    const status = hasMore ? "scraping" : facts.status;
    const head = JSON.stringify({ ...facts, status });
    this.#socket.send(`{"type":"catchup","data":${head.slice(0, -1)},"data":[${texts.join(",")}]}}`);
  }

  async #read(limit: number): Promise<DocumentTexts> {
    const { records, caller } = this.#watched;
    const page = { skip: this.#position, limit };
    const read = await readTexts(this.#watched, page, records, caller);
    this.#position = read.next;
    return read;
  }

  #end(facts: ReturnType<typeof statusFacts>): void {
    const isDone = facts.status === "completed";
    const message = isDone ? { type: "done", data: facts } : { type: "status", data: { ...facts, data: [] } };
    this.#socket.send(JSON.stringify(message));
    this.#socket.close(1000, JSON.stringify({ type: this.#watched.farewell }));
  }

  async #readerHasRoom(): Promise<void> {
    while (this.#isOpen && this.#socket.bufferedAmount > MAX_UNSENT_BYTES) await pause(SLOW_READER_MS);
  }

  /** Resolves when there may be news, after it was asked for. */
  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
