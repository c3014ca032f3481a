/** Maximum bytes per turn of the event loop, about two milliseconds of writing. */
const MAX_BYTES = 1024 * 1024;

interface Waiting {
  readonly sizeBytes: number;
  begin(): void;
}

/** Spreads sending over turns of the event loop, so that requests are answered in between. */
export class SendTurns {
  #waiting: Waiting[] = [];

  /** Resolves when this many bytes can be sent, first come first served. */
  take(sizeBytes: number): Promise<void> {
    return new Promise((begin) => {
      if (this.#waiting.length === 0) this.#soon();
      this.#waiting.push({ sizeBytes, begin });
    });
  }

  #soon(): void {
    setImmediate(() => {
      this.#beginSome();
      if (this.#waiting.length > 0) this.#soon();
    });
  }

  #beginSome(): void {
    let sizeBytes = 0;
    let begun = 0;
    for (const next of this.#waiting) {
      if (sizeBytes >= MAX_BYTES) break;
      sizeBytes += next.sizeBytes;
      begun += 1;
      next.begin();
    }
    this.#waiting = this.#waiting.slice(begun);
  }
}
