type MediaProblemKind = "denied" | "unsupported" | "needs-ffmpeg";

/** Says why a piece of media is not available. The message is written for the caller. */
export class MediaProblem extends Error {
  override readonly name = "MediaProblem";
  readonly kind: MediaProblemKind;

  constructor(kind: MediaProblemKind, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}
