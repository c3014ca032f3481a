import type { NetworkError } from "@pergamon-dev/kit/network-error";
import type { Login } from "./proxy-login.ts";

/** A proxy of the operator. */
export interface EgressProxy {
  /** With its credentials, if any. Never to be logged. */
  readonly url: string;
}

/**
 * The only way out of a browser context: a proxy that judges every target. Documents, frames, fetch, beacons, WebSockets
 * and workers all come through it, with names unresolved.
 */
export interface Egress {
  /** For the browser, as `host:port`. */
  readonly address: string;
  /** What the browser has to say to be let out; undefined when its user is enough. */
  readonly login: Login | undefined;
  /** The operator's proxy for what is asked from now on. */
  route(proxy: EgressProxy | undefined): void;
  /** Whether anything has come through that only the browser could read: by TLS, or by a WebSocket. */
  readonly hasTunnelled: boolean;
  /** Why the host could last not be reached, if so. */
  failureOf(host: string): NetworkError | undefined;
  close(): void;
}

export interface EgressOptions {
  /** Address to listen on; the browser must be able to reach it. */
  readonly listenHost: string;
  /** Whether others than this machine may reach the way out, so that a password is needed. */
  readonly isExposed: boolean;
  /** Users of this machine who are let out without a password, as far as the system tells users apart. */
  readonly users: readonly number[];
  /** What the page may load altogether, before content decoding. Then its connections are cut. */
  readonly maxBytes: number;
}

/** Whoever opens browsers brings the network: this package reaches for nothing outside. */
export type OpenEgress = (options: EgressOptions) => Promise<Egress>;
