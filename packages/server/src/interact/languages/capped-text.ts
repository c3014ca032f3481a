/** Text up to a size in bytes; what comes beyond is dropped. */
export class CappedText {
  #leftBytes: number;
  readonly #parts: string[] = [];
  isTruncated = false;

  constructor(maxBytes: number) {
    this.#leftBytes = maxBytes;
  }

  add(text: string): void {
    const sizeBytes = Buffer.byteLength(text);
    if (sizeBytes > this.#leftBytes) this.isTruncated = true;
    const kept =
      sizeBytes <= this.#leftBytes ? text : Buffer.from(text).subarray(0, this.#leftBytes).toString("utf8");
    this.#leftBytes -= Math.min(sizeBytes, this.#leftBytes);
    if (kept) this.#parts.push(kept);
  }

  get text(): string {
    return this.#parts.join("");
  }
}
