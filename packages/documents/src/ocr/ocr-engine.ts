export interface OcrPicture {
  /** One grey byte per pixel, row by row; 0 is black. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
}

/** Degrees, clockwise. */
export type QuarterTurn = 90 | 180 | 270;

/** The box is in pixels. */
export interface OcrWord {
  readonly text: string;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** Clockwise turn that makes the word upright; undefined if it is upright already. */
  readonly turn?: QuarterTurn;
  /** True if its characters are upright and stand below each other. */
  readonly isVertical?: boolean;
  /** Words of one line share a number. Numbers rise in reading order. */
  readonly line: number;
}

export interface OcrEngine {
  /** Name and version, for people. */
  readonly name: string;
  /** Tesseract codes of the installed languages: eng, deu, chi_sim. */
  languages(): Promise<readonly string[]>;
  /**
   * Words in reading order; empty if the picture has none.
   * @param languages - locale tags such as de-AT, or codes. The first three installed ones are used, or
   * English if none is installed.
   * @throws the signal's reason once it is aborted; Error if the engine fails.
   */
  recognise(
    picture: OcrPicture,
    languages: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly OcrWord[]>;
  close(): Promise<void>;
}
