const PIECES_PER_CHUNK = 4096;

/**
 * Builds a long string from many pieces. They are joined early, because a string grown by millions of
 * additions, and an array of millions of pieces, take many times the memory of the result.
 */
export class StringBuilder {
  #pieces: string[] = [];
  readonly #chunks: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) < PIECES_PER_CHUNK) return;
    this.#chunks.push(this.#pieces.join(""));
    this.#pieces = [];
  }

  toString(): string {
    const rest = this.#pieces.join("");
    return this.#chunks.length === 0 ? rest : this.#chunks.join("") + rest;
  }
}
