import type { ServerResponse } from "node:http";

/** The text of a server-sent event. */
interface SentEvent {
  readonly number: number;
  readonly text: string;
}

interface Viewer {
  readonly response: ServerResponse;
  /** Session of the login; undefined for scripts. */
  readonly sessionId: string | undefined;
  readonly timer: NodeJS.Timeout;
}

/** @param data makes the event's data. It is only called when there are viewers. */
type Tell = (event: string, data: () => object) => void;

interface EventStreamOptions {
  /** Sent every second while there are viewers. */
  readonly status: () => object;
  /** Called when the first viewer connects. @returns a function to call when the last viewer leaves. */
  readonly watch: (tell: Tell) => () => void;
  readonly statusIntervalMs?: number;
  readonly gatherMs?: number;
}

const STATUS_INTERVAL_MS = 1000;
/**
 * Events are batched for this long: each viewer then costs one write per batch, which leaves time for
 * requests.
 */
const GATHER_MS = 250;
const MAX_VIEWERS = 50;
/** Maximum bytes that wait for a viewer who does not read, beyond the buffers of the system. */
const MAX_UNSENT_BYTES = 256 * 1024;
/** Number of events that a viewer can still get after a lost connection. */
const MAX_REMEMBERED = 200;
/** More events of a type within a second are dropped: nobody could read them, and requests have priority. */
const MAX_PER_SECOND = 20;
/** After this time the viewer must reconnect, which checks its login again. */
const LIFE_MS = 5 * 60 * 1000;

/** Sends events to viewers. It disconnects viewers that do not read, and does nothing without viewers. */
export class EventStream {
  readonly #status: () => object;
  readonly #watch: EventStreamOptions["watch"];
  readonly #intervalMs: number;
  readonly #gatherMs: number;
  readonly #viewers = new Set<Viewer>();
  /** Marks event ids of this process, because ids of another process are meaningless here. */
  readonly #epoch = Math.random().toString(36).slice(2, 10);
  #remembered: readonly SentEvent[] = [];
  #number = 0;
  /** Counts per event type, so that a crawl with many requests does not displace other events. */
  readonly #toldThisSecond = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  /** Events that wait to be sent. */
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

  /**
   * Starts to send events to a viewer.
   * @param lastId id of the last event that a returning viewer received.
   */
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
    // The batch goes to earlier viewers only. The new viewer gets its events from the missed ones.
    this.#sendGathered();
    this.#viewers.add(viewer);
    this.#start();
    this.#send(viewer, `retry: 2000\n\n${this.#missedSince(lastId)}${this.#statusText()}`);
  }

  /** Ends the streams of a login that has ended. */
  endSession(sessionId: string): void {
    for (const viewer of this.#viewers) if (viewer.sessionId === sessionId) viewer.response.end();
  }

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

  /** Events after the given one. If they are unknown, `reset` tells the viewer to reload everything. */
  #missedSince(lastId: string | undefined): string {
    if (lastId === undefined) return "";
    const [, epoch, number] = /^([a-z0-9]{1,20})-(\d{1,15})$/.exec(lastId) ?? [];
    const last = Number(number);
    const oldest = this.#remembered[0]?.number ?? this.#number + 1;
    const isKnown = epoch === this.#epoch && last <= this.#number && last >= oldest - 1;
    // Without viewers no events were recorded.
    if (!isKnown || this.#viewers.size === 1) return eventText("reset", {});
    return this.#remembered
      .filter((event) => event.number > last)
      .map(({ text }) => text)
      .join("");
  }

  #statusText(): string {
    return eventText("status", this.#status());
  }

  /** All viewers get the same bytes. */
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

/** JSON contains no raw line breaks, so one `data` line holds all of it. */
function eventText(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
