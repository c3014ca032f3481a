import type { SessionBrowser as WholeBrowser } from "@pergamon-dev/browser/session-browser";
import type { Proxy } from "../net/proxies.ts";
import type { CodeRunner } from "./languages/code-runner.ts";

/** Browser of one session: a process of its own, with one context and its page. */
export type OpenedBrowser = WholeBrowser;

interface SessionBrowserOptions {
  readonly proxy: Proxy | undefined;
  readonly skipTlsVerification: boolean;
  /** Hosts that no request of the browser may reach. Undefined: all that the guard admits. */
  readonly refusesHost: ((url: URL) => boolean) | undefined;
}

/** @throws BrowserFailure when no browser starts; the signal's reason. */
export type OpenSessionBrowser = (
  options: SessionBrowserOptions,
  signal: AbortSignal,
) => Promise<OpenedBrowser>;

export type OpenRunner = (browser: OpenedBrowser) => Promise<CodeRunner>;
