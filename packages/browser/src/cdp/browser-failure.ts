/** The ways in which a tab or a browser is lost. */
type BrowserFailureKind =
  /** The process or the connection to it ended. Every tab in it is lost. */
  | "browser-lost"
  /** The page's own process ended. */
  | "tab-crashed"
  /** We ended the page's own process, because it took too much memory. */
  | "out-of-memory"
  /** The page no longer answers. */
  | "tab-hung"
  /** The page exceeds our size limit. */
  | "page-too-large"
  | "tab-closed"
  /** No browser could be started or reached. */
  | "unavailable";

/** A tab or browser is gone, and its pending commands have no answer. */
export class BrowserFailure extends Error {
  override readonly name = "BrowserFailure";
  readonly kind: BrowserFailureKind;

  constructor(kind: BrowserFailureKind, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }

  /** Whether the same work may succeed in another tab. */
  get isWorthRetrying(): boolean {
    return this.kind === "browser-lost" || this.kind === "tab-crashed";
  }
}
