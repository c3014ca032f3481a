/** What went wrong between us and the target, as far as a caller can act on it. */
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

/** No usable HTTP answer was received. Messages hold no credentials and no addresses of private hosts. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
  readonly kind: NetworkErrorKind;
  /** The host of the hop that failed, as the URL names it. */
  readonly host?: string;

  constructor(kind: NetworkErrorKind, message: string, { host, cause }: NetworkErrorParticulars = {}) {
    super(message, { cause });
    this.kind = kind;
    if (host !== undefined) this.host = host;
  }
}
