/**
 * `unreachable`: nothing was sent. `lost`: the connection ended, or the answer never came, after something was sent.
 * `refused`: the server answered with an error of the protocol. `no-session`: the server has forgotten us.
 */
type McpFailureKind = "unreachable" | "lost" | "too-large" | "protocol" | "refused" | "no-session";

/** A server did not do what the protocol promises. Messages may quote it. */
export class McpFailure extends Error {
  override readonly name = "McpFailure";
  readonly kind: McpFailureKind;
  /** Of an error that the server answered with. */
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
