/** Commands of one client per second, after those that it may send at once. */
const COMMANDS_PER_SECOND = 200;
const AT_ONCE = 400;
/**
 * Characters per second. A message longer than the rest of the budget passes, and later messages wait for it.
 */
const LENGTH_PER_SECOND = 4 * 1024 * 1024;
const LENGTH_AT_ONCE = 8 * 1024 * 1024;
/** Maximum waiting commands. A client that exceeds it loses its connection. */
const MAX_WAITING = 4000;
const MAX_WAITING_LENGTH = 64 * 1024 * 1024;
/** Interval at which waiting commands are checked. */
const INTERVAL_MS = 50;

interface CommandQueueOptions {
  /** The queue waits for the returned promise, which must never reject. */
  readonly run: (text: string) => void | Promise<void>;
  /** Called once when too many commands wait. Nothing runs after that. */
  readonly onOverflow: () => void;
  /** Default: milliseconds since the start of the process. */
  readonly nowMs?: () => number;
}

/** Runs the messages of a client in order, at the rate that it may send them. */
export class CommandQueue {
  readonly #options: CommandQueueOptions;
  readonly #waiting: string[] = [];
  #waitingLength = 0;
  #left = AT_ONCE;
  #leftLength = LENGTH_AT_ONCE;
  #isBusy = false;
  readonly #nowMs: () => number;
  #refilledAtMs: number;
  #timer: NodeJS.Timeout | undefined;
  #state: "held" | "running" | "closed" = "held";

  constructor(options: CommandQueueOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#refilledAtMs = this.#nowMs();
  }

  /** Starts to run the messages that have arrived so far. */
  start(): void {
    if (this.#state !== "held") return;
    this.#state = "running";
    this.#work();
  }

  push(text: string): void {
    if (this.#state === "closed") return;
    if (this.#state === "running" && this.#waiting.length === 0 && this.#take(text)) return this.#run(text);
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    if (this.#waiting.length > MAX_WAITING || this.#waitingLength > MAX_WAITING_LENGTH) {
      this.close();
      return this.#options.onOverflow();
    }
    if (this.#state === "running" && !this.#isBusy) this.#workLater();
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
      if (!this.#take(text)) break;
      done += 1;
      this.#waitingLength -= text.length;
      this.#run(text);
    }
    this.#waiting.splice(0, done);
    if (this.#waiting.length > 0 && !this.#isBusy) this.#workLater();
  }

  #run(text: string): void {
    const work = this.#options.run(text);
    if (work) void this.#waitFor(work);
  }

  async #waitFor(work: Promise<void>): Promise<void> {
    this.#isBusy = true;
    await work;
    this.#isBusy = false;
    if (this.#state === "running" && this.#waiting.length > 0) this.#workLater();
  }

  #workLater(): void {
    this.#timer ??= setTimeout(() => this.#work(), INTERVAL_MS).unref();
  }

  #take(text: string): boolean {
    if (this.#isBusy) return false;
    const nowMs = this.#nowMs();
    const seconds = (nowMs - this.#refilledAtMs) / 1000;
    this.#left = Math.min(AT_ONCE, this.#left + seconds * COMMANDS_PER_SECOND);
    this.#leftLength = Math.min(LENGTH_AT_ONCE, this.#leftLength + seconds * LENGTH_PER_SECOND);
    this.#refilledAtMs = nowMs;
    if (this.#left < 1 || this.#leftLength < 0) return false;
    this.#left -= 1;
    this.#leftLength -= text.length;
    return true;
  }
}
