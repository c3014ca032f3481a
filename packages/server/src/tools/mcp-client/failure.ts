/**
 * `unreachable`: nothing was sent. `lost`: the connection ended or the answer never came, after something was
 * sent. `refused`: the server answered with a protocol error. `no-session`: the server has forgotten the
 * session.
 */
type McpFailureKind = "unreachable" | "lost" | "too-large" | "protocol" | "refused" | "no-session";

/** A server broke the protocol or could not be reached. Messages may quote the server. */
export class McpFailure extends Error {
  override readonly name = "McpFailure";
  readonly kind: McpFailureKind;
  /** Code of the error in the server's answer. */
  readonly code: number | undefined;

  constructor(
    kind: McpFailureKind,
    message: string,
    { code, cause }: { readonly code?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.code = code;
  }
}
