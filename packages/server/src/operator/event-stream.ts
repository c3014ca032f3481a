import type { ServerResponse } from "node:http";

/** Something that happened, as the text of a server-sent event. */
interface SentEvent {
  readonly number: number;
  readonly text: string;
}

interface Viewer {
  readonly response: ServerResponse;
  /** Whose login it is; undefined for scripts. */
  readonly sessionId: string | undefined;
  readonly timer: NodeJS.Timeout;
}

/** @param data the event's data, created only if there are listeners. */
type Tell = (event: string, data: () => object) => void;

interface EventStreamOptions {
  /** Sent every second, while there are listeners. */
  readonly status: () => object;
  /** Called when the first viewer comes. @returns what ends it when the last one goes. */
  readonly watch: (tell: Tell) => () => void;
  readonly statusIntervalMs?: number;
  readonly gatherMs?: number;
}

const STATUS_INTERVAL_MS = 1000;
/** So long events wait for others: each viewer costs one write for all of them, while requests need the time. */
const GATHER_MS = 250;
const MAX_VIEWERS = 50;
/** What waits for a viewer that does not read, beyond what the system keeps for it. */
const MAX_UNSENT_BYTES = 256 * 1024;
/** Events that can be had again after a lost connection. */
const MAX_REMEMBERED = 200;
/** Further events of a type at the same time are dropped: they are unreadable, and requests have priority. */
const MAX_PER_SECOND = 20;
/** Then the viewer has to come again, which looks at its login again. */
const LIFE_MS = 5 * 60 * 1000;

/** Tells viewers what happens. One who never reads is sent away; without any, nothing is done. */
export class EventStream {
  readonly #status: () => object;
  readonly #watch: EventStreamOptions["watch"];
  readonly #intervalMs: number;
  readonly #gatherMs: number;
  readonly #viewers = new Set<Viewer>();
  /** Numbers of another process mean nothing here. */
  readonly #epoch = Math.random().toString(36).slice(2, 10);
  #remembered: readonly SentEvent[] = [];
  #number = 0;
  /** By event: a crawl with many requests drowns nothing else. */
  readonly #toldThisSecond = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  /** Not sent yet. */
  #gathered = "";
  #gathering: NodeJS.Timeout | undefined;

  constructor(options: EventStreamOptions) {
    this.#status = options.status;
    this.#watch = options.watch;
    this.#intervalMs = options.statusIntervalMs ?? STATUS_INTERVAL_MS;
    this.#gatherMs = options.gatherMs ?? GATHER_MS;
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  get isFull(): boolean {
    return this.#viewers.size >= MAX_VIEWERS;
  }

  /** Starts to send events to a viewer. @param lastId of the last event that it received, if it was here before. */
  add(response: ServerResponse, sessionId: string | undefined, lastId: string | undefined): void {
    const timer = setTimeout(() => response.end(), LIFE_MS).unref();
    const viewer: Viewer = { response, sessionId, timer };
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    response.once("close", () => this.#remove(viewer));
    response.on("error", () => undefined);
    // The others alone have waited for it: who is new is told it by what it has missed.
    this.#sendGathered();
    this.#viewers.add(viewer);
    this.#start();
    this.#send(viewer, `retry: 2000\n\n${this.#missedSince(lastId)}${this.#statusText()}`);
  }

  /** Ends the streams of a login that is over. */
  endSession(sessionId: string): void {
    for (const viewer of this.#viewers) if (viewer.sessionId === sessionId) viewer.response.end();
  }

  /** Ends all streams. */
  close(): void {
    for (const { response } of this.#viewers) response.end();
    this.#stop();
  }

  #start(): void {
    if (this.#timer) return;
    this.#unwatch = this.#watch((event, data) => this.#tell(event, data));
    this.#timer = setInterval(() => {
      this.#toldThisSecond.clear();
      this.#gathered += this.#statusText();
      this.#sendGathered();
    }, this.#intervalMs).unref();
  }

  #stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#gathering);
    this.#unwatch?.();
    [this.#timer, this.#unwatch, this.#gathering] = [undefined, undefined, undefined];
    this.#gathered = "";
  }

  #remove(viewer: Viewer): void {
    clearTimeout(viewer.timer);
    this.#viewers.delete(viewer);
    if (this.#viewers.size === 0) this.#stop();
  }

  #tell(event: string, data: () => object): void {
    const told = (this.#toldThisSecond.get(event) ?? 0) + 1;
    this.#toldThisSecond.set(event, told);
    if (told > MAX_PER_SECOND) return;
    this.#number += 1;
    const text = `id: ${this.#epoch}-${this.#number}\n${eventText(event, data())}`;
    this.#remembered = [...this.#remembered, { number: this.#number, text }].slice(-MAX_REMEMBERED);
    this.#gathered += text;
    this.#gathering ??= setTimeout(() => this.#sendGathered(), this.#gatherMs).unref();
  }

  /** What happened after an event; where that is not known, that everything has to be loaded again. */
  #missedSince(lastId: string | undefined): string {
    if (lastId === undefined) return "";
    const [, epoch, number] = /^([a-z0-9]{1,20})-(\d{1,15})$/.exec(lastId) ?? [];
    const last = Number(number);
    const oldest = this.#remembered[0]?.number ?? this.#number + 1;
    const isKnown = epoch === this.#epoch && last <= this.#number && last >= oldest - 1;
    // Without viewers nothing was watched.
    if (!isKnown || this.#viewers.size === 1) return eventText("reset", {});
    return this.#remembered
      .filter((event) => event.number > last)
      .map(({ text }) => text)
      .join("");
  }

  #statusText(): string {
    return eventText("status", this.#status());
  }

  /** The same bytes to all. */
  #sendGathered(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (this.#gathered === "") return;
    const bytes = Buffer.from(this.#gathered);
    this.#gathered = "";
    for (const viewer of this.#viewers) this.#send(viewer, bytes);
  }

  #send({ response }: Viewer, data: string | Buffer): void {
    if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
    else response.write(data);
  }
}

/** JSON has no line break, so that one line holds all of it. */
function eventText(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
