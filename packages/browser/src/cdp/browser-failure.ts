/** How a tab or a browser was lost. */
type BrowserFailureKind =
  /** The process ended, or the connection to it. Every tab in it is lost. */
  | "browser-lost"
  /** The page's own process ended. */
  | "tab-crashed"
  /** The page's own process was ended by us, because it took too much memory. */
  | "out-of-memory"
  /** The page does not answer any more. */
  | "tab-hung"
  /** What the page has become is more than we take. */
  | "page-too-large"
  | "tab-closed"
  /** No browser could be started or reached. */
  | "unavailable";

/** A tab or browser is gone; what was asked of it has no answer. */
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
