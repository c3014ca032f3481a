import { hasNoAnswer, isConnectionLost, NO_ANSWER } from "./postgres-failures.ts";

/** After this time without an answer, the server is asked over another connection whether it is there. */
const PATIENCE_MS = 2000;
const LOOK_INTERVAL_MS = 500;

interface Asked {
  readonly sinceMs: number;
  readonly giveUp: (failure: Error) => void;
}

/**
 * Notices that a server is gone without a word, as after a power cut or behind a broken network. A slow
 * statement is no sign of that: the server answers a probe meanwhile.
 */
export class ServerWatch {
  readonly #probe: () => Promise<void>;
  readonly #asked = new Set<Asked>();
  #timer: NodeJS.Timeout | undefined;
  #isAway = false;
  #isProbing = false;
  #foundAtMs = Number.NEGATIVE_INFINITY;

  /** @param probe opens a connection and asks something short. It has a time limit. */
  constructor(probe: () => Promise<void>) {
    this.#probe = probe;
  }

  /**
   * Waits for an answer of the server.
   * @throws as `hasNoAnswer` tells, when the server is found to be away; at once while it is known to be.
   */
  answer<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#timer ??= setInterval(() => this.#look(), LOOK_INTERVAL_MS).unref();
    return new Promise<Answer>((resolve, reject) => {
      const asked = { sinceMs: performance.now(), giveUp: reject };
      this.#asked.add(asked);
      const end = () => this.#asked.delete(asked);
      answer.finally(end).then(resolve, reject);
      if (this.#isAway) reject(new Error(NO_ANSWER));
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const [oldest] = this.#asked;
    if (!oldest && !this.#isAway) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const sinceMs = Math.max(oldest?.sinceMs ?? 0, this.#foundAtMs);
    const isDue = this.#isAway || performance.now() - sinceMs > PATIENCE_MS;
    if (isDue && !this.#isProbing) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isProbing = true;
    try {
      await this.#probe();
      this.#isAway = false;
    } catch (failure) {
      // Any other answer, such as "too many connections", is one.
      this.#isAway = isConnectionLost(failure) && !isRefusal(failure);
    }
    this.#isProbing = false;
    this.#foundAtMs = performance.now();
    if (!this.#isAway) return;
    for (const { giveUp } of this.#asked) giveUp(new Error(NO_ANSWER));
    this.#asked.clear();
  }
}

/** The server, not the network, has turned the connection down. */
function isRefusal(failure: unknown): boolean {
  return !hasNoAnswer(failure) && failure instanceof Error && "severity" in failure;
}
