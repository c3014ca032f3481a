/** Codes of failed calls in answers. A failed call does not stop the other calls of its request. */
export type ToolErrorCode =
  | "invalid_options"
  | "upstream_error"
  | "upstream_unavailable"
  | "timeout"
  | "rate_limited"
  | "response_too_large"
  | "terms_changed"
  | "outcome_unknown";

/** A call failed. The message reaches the caller, so it contains no secret. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ToolErrorCode;
  /** HTTP status from the provider. */
  readonly status: number | undefined;

  constructor(code: ToolErrorCode, message: string, status?: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
