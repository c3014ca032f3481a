/** A picture in shades of grey. */
export interface OcrPicture {
  /** One byte for each, row by row; 0 is black. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
}

/** Degrees, clockwise. */
export type QuarterTurn = 90 | 180 | 270;

/** A word that was recognised; its box is in pixels. */
export interface OcrWord {
  readonly text: string;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** How far the picture has to be turned clockwise to read the word; undefined: not at all. */
  readonly turn?: QuarterTurn;
  /** Words of one line have the same number; lines count up in reading order. */
  readonly line: number;
}

/** Something that recognises text in pictures. */
export interface OcrEngine {
  /** With its version, for people. */
  readonly name: string;
  /** Codes of the languages whose data is installed, as tesseract names them: eng, deu, chi_sim. */
  languages(): Promise<readonly string[]>;
  /**
   * Words in reading order; none when the picture shows none.
   * @param languages - locale tags such as de-AT, or codes; the first three that are installed are looked for, and
   * English when none is
   * @throws the signal's reason once it is aborted; Error when the engine fails.
   */
  recognise(
    picture: OcrPicture,
    languages: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly OcrWord[]>;
  close(): Promise<void>;
}
