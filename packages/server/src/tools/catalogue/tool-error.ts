/** Why one call failed, on the wire. The others of its request continue. */
export type ToolErrorCode =
  | "invalid_options"
  | "upstream_error"
  | "upstream_unavailable"
  | "timeout"
  | "rate_limited"
  | "response_too_large"
  | "terms_changed"
  | "outcome_unknown";

/** One call that failed. Its message reaches the caller and holds no secret. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ToolErrorCode;
  /** HTTP status that the provider returned. */
  readonly status: number | undefined;

  constructor(code: ToolErrorCode, message: string, status?: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}
