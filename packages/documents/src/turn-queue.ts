/** Lets go of a place. */
type Release = () => void;

interface Waiting {
  readonly start: () => void;
  readonly isBackground: boolean;
}

/** A number of places, first come first served; work in the background comes after all other. */
export class TurnQueue {
  readonly #waiting: Waiting[] = [];
  readonly #queue: { readonly most: number; readonly overflow: () => Error };
  #free: number;

  /** @param queue how many may wait, and the error of one more. */
  constructor(places: number, queue: { readonly most: number; readonly overflow: () => Error }) {
    this.#free = places;
    this.#queue = queue;
  }

  /** @throws what `overflow` makes; the signal's reason when it is aborted while waiting. */
  async enter(signal: AbortSignal, isBackground = false): Promise<Release> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal, isBackground);
    let isHeld = true;
    return () => {
      if (isHeld) this.#leave();
      isHeld = false;
    };
  }

  #wait(signal: AbortSignal, isBackground: boolean): Promise<void> {
    if (this.#waiting.length >= this.#queue.most) throw this.#queue.overflow();
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason as Error);
      };
      const start = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const waiting: Waiting = { start, isBackground };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(waiting);
    });
  }

  #leave(): void {
    const index = Math.max(
      0,
      this.#waiting.findIndex(({ isBackground }) => !isBackground),
    );
    const [next] = this.#waiting.splice(index, 1);
    if (next) next.start();
    else this.#free += 1;
  }
}
