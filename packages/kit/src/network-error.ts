/** Kinds of failures between us and the target that a caller can act on. */
export type NetworkErrorKind =
  | "dns"
  | "blocked"
  | "tls"
  | "refused"
  | "unreachable"
  | "reset"
  | "empty-response"
  | "timeout"
  | "too-large"
  | "endless"
  | "too-many-redirects"
  | "protocol"
  | "proxy"
  | "invalid-url";

interface NetworkErrorParticulars {
  readonly host?: string;
  readonly cause?: unknown;
}

/**
 * No usable HTTP response was received. Messages contain no credentials and no addresses of private hosts.
 */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  readonly kind: NetworkErrorKind;
  /** Host of the failed hop, as in its URL. */
  readonly host?: string;

  constructor(kind: NetworkErrorKind, message: string, { host, cause }: NetworkErrorParticulars = {}) {
    super(message, { cause });
    this.kind = kind;
    if (host !== undefined) this.host = host;
  }
}
