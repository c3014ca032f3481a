import type { SessionBrowser as WholeBrowser } from "@pergamon-dev/browser/session-browser";
import type { Proxy } from "../net/proxies.ts";
import type { CodeRunner } from "./languages/code-runner.ts";

/** The browser of one session: a process of its own, with one context and the page that is worked on. */
export type OpenedBrowser = WholeBrowser;

interface SessionBrowserOptions {
  readonly proxy: Proxy | undefined;
  readonly skipTlsVerification: boolean;
  /** Hosts that nothing in the browser may ask. Undefined: all may be asked that the guard admits. */
  readonly refusesHost: ((url: URL) => boolean) | undefined;
}

/** @throws BrowserFailure when there is none; the signal's reason. */
export type OpenSessionBrowser = (
  options: SessionBrowserOptions,
  signal: AbortSignal,
) => Promise<OpenedBrowser>;

export type OpenRunner = (browser: OpenedBrowser) => Promise<CodeRunner>;
