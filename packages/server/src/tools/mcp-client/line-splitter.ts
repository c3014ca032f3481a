import { StringDecoder } from "node:string_decoder";

/** Splits a stream of bytes into lines. */
export class LineSplitter {
  readonly #maxLength: number;
  readonly #decoder = new StringDecoder("utf8");
  #rest: string[] = [];
  #length = 0;

  /** @param maxLength of one line, in UTF-16 units. */
  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /**
   * @returns the lines that are complete so far, without line ends.
   * @throws RangeError when a line is too long.
   */
  split(chunk: Uint8Array): readonly string[] {
    const parts = this.#decoder.write(Buffer.from(chunk)).split("\n");
    const lines: string[] = [];
    for (const [index, part] of parts.entries()) {
      this.#length += part.length;
      if (this.#length > this.#maxLength) throw new RangeError("A line is too long.");
      this.#rest.push(part);
      if (index === parts.length - 1) break;
      lines.push(this.#rest.join("").replace(/\r$/, ""));
      this.#rest = [];
      this.#length = 0;
    }
    return lines;
  }
}
