import type { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Login } from "./proxy-login.ts";

/** The operator's proxy. */
export interface EgressProxy {
  /** Includes its credentials, if any. Never log it. */
  readonly url: string;
}

/**
 * The only way out of a browser context: a proxy that checks every target. Documents, frames, fetch, beacons,
 * WebSockets and workers all use it, with unresolved host names.
 */
export interface Egress {
  /** Address for the browser, as `host:port`. */
  readonly address: string;
  /** Login that the browser must send; undefined when its operating system user suffices. */
  readonly login: Login | undefined;
  /** Sets the operator's proxy for later requests. */
  route(proxy: EgressProxy | undefined): void;
  /** Whether anything passed that only the browser could read: TLS, or a WebSocket. */
  readonly hasTunnelled: boolean;
  /** The last failure to reach the host, if any. */
  failureOf(host: string): NetworkError | undefined;
  close(): void;
}

export interface EgressOptions {
  /** Address to listen on. The browser must be able to reach it. */
  readonly listenHost: string;
  /** Whether other machines may reach the proxy, so that it needs a password. */
  readonly isExposed: boolean;
  /** Users of this machine who need no password, where the system can tell users apart. */
  readonly users: readonly number[];
  /** Maximum bytes that the page may load, before content decoding. Its connections are cut then. */
  readonly maxBytes: number;
}

/** The opener of browsers supplies the network: this package connects to nothing outside. */
export type OpenEgress = (options: EgressOptions) => Promise<Egress>;
