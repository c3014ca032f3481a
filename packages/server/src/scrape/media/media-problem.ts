/** Why a piece of media could not be had. */
type MediaProblemKind = "denied" | "unsupported" | "needs-ffmpeg";

/** A piece of media that could not be had. The message says why, in words for the caller. */
export class MediaProblem extends Error {
  override readonly name = "MediaProblem";
  readonly kind: MediaProblemKind;

  constructor(kind: MediaProblemKind, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}
