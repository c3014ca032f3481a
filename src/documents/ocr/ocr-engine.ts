/** A picture in shades of grey. */
export interface OcrPicture {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
}

/** A word that was recognised; its box is in pixels. */
export interface OcrWord {
  readonly text: string;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** 0 to 1. */
  readonly confidence: number;
  /** Words of one line have the same number. */
  readonly line: number;
}

/** Something that recognises text in pictures. */
export interface OcrEngine {
  readonly name: string;
  languages(): Promise<readonly string[]>;
  recognise(
    picture: OcrPicture,
    languages: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly OcrWord[]>;
}
