import type { WebSocket } from "ws";

/** Characters that may wait for the clients of a session without a time limit. */
const MAX_UNREAD = 16 * 1024 * 1024;
/** Anything above is a large answer in transit, and must be gone after this time. */
const MAX_UNREAD_MS = 10_000;
/** Characters above which too much waits at once, not counting the largest message. */
const MAX_BURST = 64 * 1024 * 1024;

type UnreadSocket = Pick<WebSocket, "send" | "terminate">;

/**
 * Messages that were sent to the clients of one session and not read yet. They take memory of this process.
 * Clients that let too much wait lose their connection, those with the most first.
 */
export class UnreadMessages {
  readonly #waiting = new Map<UnreadSocket, number>();
  /** Pending messages longer than `MAX_UNREAD`. The longest is allowed on top of `MAX_BURST`. */
  readonly #large = new Set<{ readonly length: number }>();
  #total = 0;
  #timer: NodeJS.Timeout | undefined;

  send(socket: UnreadSocket, text: string): void {
    const { length } = text;
    const message = { length };
    this.#add(socket, length);
    if (length > MAX_UNREAD) this.#large.add(message);
    socket.send(text, () => {
      this.#large.delete(message);
      // A disconnected client no longer counts.
      if (this.#waiting.has(socket)) this.#add(socket, -length);
    });
    if (this.#total > MAX_UNREAD) this.#watch();
  }

  #add(socket: UnreadSocket, length: number): void {
    const waiting = (this.#waiting.get(socket) ?? 0) + length;
    this.#total += length;
    if (waiting > 0) this.#waiting.set(socket, waiting);
    else this.#waiting.delete(socket);
    if (this.#timer === undefined || this.#total > MAX_UNREAD) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #watch(): void {
    const largest = Math.max(0, ...[...this.#large].map(({ length }) => length));
    this.#endUntilBelow(MAX_BURST + largest);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#endUntilBelow(MAX_UNREAD);
    }, MAX_UNREAD_MS).unref();
  }

  #endUntilBelow(most: number): void {
    while (this.#total > most) {
      const [slowest] = [...this.#waiting].toSorted(([, one], [, other]) => other - one);
      if (!slowest) return;
      const [socket, waiting] = slowest;
      this.#waiting.delete(socket);
      this.#total -= waiting;
      socket.terminate();
    }
  }
}
