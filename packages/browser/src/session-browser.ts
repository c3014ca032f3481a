import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { BrowserFailure } from "./cdp/browser-failure.ts";
import type { CdpConnection } from "./cdp/cdp-connection.ts";
import { type ConfinedBrowser, openConfinedBrowser } from "./confined/confined-browser.ts";
import { OwnTargets } from "./confined/own-targets.ts";
import { usersOfBrowsers } from "./launch/account.ts";
import { interruptPages } from "./interrupt-pages.ts";
import type { BrowserProcess } from "./launch/browser-process.ts";
import { guardMemory, type MemoryGuard } from "./memory-guard.ts";
import { openScreencast, type Screencast } from "./screencast/screencast.ts";
import { BrowserTab } from "./tab/tab.ts";
import type { Egress, EgressProxy, OpenEgress } from "./egress.ts";

/** What a session may load altogether, before content decoding: eight times what a scrape may. */
const MAX_LOAD_BYTES = 2 * 1024 * 1024 * 1024;
/** A client has this long to answer a dialog; an unanswered one would stop the page for good. */
const DIALOG_GRACE_MS = 5000;

/** A browser of one session. Its process is on another machine where it has no process id here. */
export interface SessionProcess extends Omit<BrowserProcess, "pid"> {
  readonly pid: number | undefined;
}

export type SessionLauncher = (signal: AbortSignal) => Promise<SessionProcess>;

export interface SessionBrowserOptions {
  /** Starts a browser for every session; made with `opensWindows`. */
  readonly launch: SessionLauncher;
  readonly openEgress: OpenEgress;
  /** Where the browser reaches the proxy of its session. */
  readonly egressHost: string;
  /** The operator's proxy that requests leave through. */
  readonly proxy?: EgressProxy | undefined;
  readonly skipTlsVerification: boolean;
}

/** The browser process of one session, which no other session shares. */
export interface SessionBrowser {
  /** The first page, for the stages of a scrape. */
  readonly tab: BrowserTab;
  /** For the other clients of the session. */
  readonly confined: ConfinedBrowser;
  /** Address of the page that viewers see; undefined while there is none. */
  readonly pageUrl: () => string | undefined;
  /** For those who look on. */
  readonly screencast: Screencast;
  /** Calls the listener once the browser is gone, or its first page has crashed; at once if that is so. */
  onLost(listener: (failure: BrowserFailure) => void): void;
  /** Frees pages from work that a client left behind. Never rejects; takes two seconds at most. */
  interrupt(): Promise<void>;
  /** Ends the process and everything that it started, and removes its files. */
  close(): Promise<void>;
}

/**
 * Starts the browser of a session.
 * @throws BrowserFailure of kind `unavailable`; the signal's reason once it is aborted.
 */
export async function openSessionBrowser(
  options: SessionBrowserOptions,
  signal: AbortSignal,
): Promise<SessionBrowser> {
  const started = await options.launch(signal);
  const egress = await openSessionEgress(options, started).catch(async (failure: unknown) => {
    await started.close();
    throw failure;
  });
  try {
    return await untilAborted(openInside(started, egress, options), signal);
  } catch (failure) {
    egress.close();
    await started.close();
    throw failure;
  }
}

async function openSessionEgress(
  { openEgress, egressHost, proxy }: SessionBrowserOptions,
  { pid }: SessionProcess,
): Promise<Egress> {
  const egress = await openEgress({
    listenHost: egressHost,
    isExposed: pid === undefined,
    users: usersOfBrowsers(),
    maxBytes: MAX_LOAD_BYTES,
  });
  egress.route(proxy);
  return egress;
}

async function openInside(
  { connection, pid, close: end }: SessionProcess,
  egress: Egress,
  { skipTlsVerification }: SessionBrowserOptions,
): Promise<SessionBrowser> {
  const { browserContextId } = await connection.browser.send("Target.createBrowserContext", {
    proxyServer: `http://${egress.address}`,
    // Without this, Chromium would reach loopback and link-local addresses past the proxy.
    proxyBypassList: "<-loopback>",
  });
  const targets = new OwnTargets(connection.browser, browserContextId);
  const confined = openConfinedBrowser({ connection, targets });
  // Processes of another machine are looked after there.
  const memory = pid === undefined ? undefined : guardMemory(connection.browser, () => !connection.isLost);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      memory?.stop();
      await confined.close();
      egress.close();
      await end();
    })();
    return closing;
  };
  const dialogGraceMs = () => (confined.clients > 0 ? DIALOG_GRACE_MS : 0);
  const parts = { contextId: browserContextId, egress, release: close, dispose: close, dialogGraceMs };
  try {
    const tab = await openTab(connection, memory, parts);
    await targets.watch();
    await tab.session.send("Security.setIgnoreCertificateErrors", { ignore: skipTlsVerification });
    const isClosing = () => closing !== undefined;
    return {
      tab,
      confined,
      pageUrl: () => targets.newestUrl,
      screencast: openScreencast(connection, targets),
      interrupt: () => interruptPages({ connection, targets, tab }),
      onLost: (listener) => whenLost({ connection, tab, isClosing }, listener),
      close,
    };
  } catch (failure) {
    await close();
    throw failure;
  }
}

type InnerTabParts = Omit<ConstructorParameters<typeof BrowserTab>[0], "session" | "browser" | "targetId">;

async function openTab(
  connection: CdpConnection,
  memory: MemoryGuard | undefined,
  parts: InnerTabParts,
): Promise<BrowserTab> {
  const { browser } = connection;
  const { contextId: browserContextId } = parts;
  const { targetId } = await browser.send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
  const session = connection.session(sessionId);
  session.on("Inspector.targetCrashed", () =>
    session.fail(
      memory?.isToBlame()
        ? new BrowserFailure("out-of-memory", "The page took too much memory.")
        : new BrowserFailure("tab-crashed", "The page crashed its tab."),
    ),
  );
  const tab = new BrowserTab({ ...parts, session, browser, targetId });
  await tab.prepare();
  return tab;
}

interface Losable {
  readonly connection: CdpConnection;
  readonly tab: BrowserTab;
  readonly isClosing: () => boolean;
}

/** A page that was closed was closed by its user, who may have others. */
function whenLost(
  { connection, tab, isClosing }: Losable,
  listener: (failure: BrowserFailure) => void,
): void {
  let isTold = false;
  const tell = (failure: BrowserFailure) => {
    if (isTold || isClosing() || failure.kind === "tab-closed") return;
    isTold = true;
    listener(failure);
  };
  connection.whenLost(tell);
  tab.session.whenFailed(tell);
}
