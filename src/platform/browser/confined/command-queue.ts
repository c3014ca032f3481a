/** Commands of one client that are carried out in a second, after those that it may send at once. */
const COMMANDS_PER_SECOND = 200;
const AT_ONCE = 400;
/** What waits beyond that. A client that sends more than it can be served loses its connection. */
const MAXIMUM_WAITING = 4000;
const MAXIMUM_WAITING_LENGTH = 64 * 1024 * 1024;
/** How often waiting commands are looked at. */
const INTERVAL_MS = 50;

interface CommandQueueOptions {
  readonly run: (text: string) => void;
  /** Too much waits. Called once; nothing is run any more. */
  readonly onOverflow: () => void;
}

/** Carries out the messages of a client in order, as fast as it may send them. */
export class CommandQueue {
  readonly #options: CommandQueueOptions;
  readonly #waiting: string[] = [];
  #waitingLength = 0;
  #left = AT_ONCE;
  #refilledAtMs = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #state: "held" | "running" | "closed" = "held";

  constructor(options: CommandQueueOptions) {
    this.#options = options;
  }

  /** Begins to carry out what has come so far. */
  start(): void {
    if (this.#state !== "held") return;
    this.#state = "running";
    this.#work();
  }

  push(text: string): void {
    if (this.#state === "closed") return;
    if (this.#state === "running" && this.#waiting.length === 0 && this.#take()) {
      return this.#options.run(text);
    }
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    if (this.#waiting.length > MAXIMUM_WAITING || this.#waitingLength > MAXIMUM_WAITING_LENGTH) {
      this.close();
      return this.#options.onOverflow();
    }
    if (this.#state === "running") this.#workLater();
  }

  close(): void {
    this.#state = "closed";
    this.#waiting.length = 0;
    clearTimeout(this.#timer);
  }

  #work(): void {
    this.#timer = undefined;
    let done = 0;
    for (const text of this.#waiting) {
      if (!this.#take()) break;
      done += 1;
      this.#waitingLength -= text.length;
      this.#options.run(text);
    }
    this.#waiting.splice(0, done);
    if (this.#waiting.length > 0) this.#workLater();
  }

  #workLater(): void {
    this.#timer ??= setTimeout(() => this.#work(), INTERVAL_MS).unref();
  }

  #take(): boolean {
    const nowMs = performance.now();
    const earned = ((nowMs - this.#refilledAtMs) / 1000) * COMMANDS_PER_SECOND;
    this.#left = Math.min(AT_ONCE, this.#left + earned);
    this.#refilledAtMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
