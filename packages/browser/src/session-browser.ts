import { setTimeout as pause } from "node:timers/promises";

import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { BrowserFailure } from "./cdp/browser-failure.ts";
import type { CdpConnection } from "./cdp/cdp-connection.ts";
import { type ConfinedBrowser, openConfinedBrowser } from "./confined/confined-browser.ts";
import { OwnTargets } from "./confined/own-targets.ts";
import { usersOfBrowsers } from "./launch/account.ts";
import type { BrowserProcess } from "./launch/browser-process.ts";
import { guardMemory, type MemoryGuard } from "./memory-guard.ts";
import { openScreencast, type Screencast } from "./screencast/screencast.ts";
import { BrowserTab } from "./tab/tab.ts";
import type { Egress, EgressProxy, OpenEgress } from "./egress.ts";
import type { CdpSession } from "./cdp/cdp-session.ts";

/** Maximum bytes that a session may load, before content decoding: eight times the limit of a scrape. */
const MAX_LOAD_BYTES = 2 * 1024 * 1024 * 1024;
/** Time for a client to answer a dialog. An unanswered one would block the page forever. */
const DIALOG_GRACE_MS = 5000;

/** The browser process of one session. On a remote machine it has no process id here. */
export interface SessionProcess extends Omit<BrowserProcess, "pid"> {
  readonly pid: number | undefined;
}

export type SessionLauncher = (signal: AbortSignal) => Promise<SessionProcess>;

export interface SessionBrowserOptions {
  /** Starts a browser for every session; made with `opensWindows`. */
  readonly launch: SessionLauncher;
  readonly openEgress: OpenEgress;
  /** Host at which the browser reaches its session's proxy. */
  readonly egressHost: string;
  /** The operator's proxy that requests leave through. */
  readonly proxy?: EgressProxy | undefined;
  readonly skipTlsVerification: boolean;
}

/** The browser of one session, which no other session shares. */
export interface SessionBrowser {
  /** The first page, for the stages of a scrape. */
  readonly tab: BrowserTab;
  /** For the other clients of the session. */
  readonly confined: ConfinedBrowser;
  /** URL of the page that viewers see; undefined while there is none. */
  readonly pageUrl: () => string | undefined;
  /** For viewers. */
  readonly screencast: Screencast;
  /**
   * Calls the listener once the browser is gone, or its first page has crashed; at once if that already
   * happened.
   */
  onLost(listener: (failure: BrowserFailure) => void): void;
  /** Stops work in pages that a client left behind. Never rejects; takes two seconds at most. */
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
  // The remote machine guards the memory of its own processes.
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
  const isOurs = pid !== undefined;
  const parts = {
    contextId: browserContextId,
    egress,
    isOurs,
    release: close,
    dispose: close,
    dialogGraceMs,
  };
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

/** A closed page is no loss: its user closed it and may have others. */
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

/** Number of answers of the browser, each after a pause, after which a page counts as stuck. */
const ANSWERS = 10;
const PAUSE_MS = 200;
/** Upper limit, however slow the machine is. */
const LIMIT_MS = 15_000;

interface Pages {
  readonly connection: CdpConnection;
  readonly targets: OwnTargets;
  readonly tab: BrowserTab;
}

/**
 * Ends loading and running scripts in pages. Until then, a client that connects later could not drive a page,
 * and they may never end by themselves.
 */
async function interruptPages({ connection, targets, tab }: Pages): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(LIMIT_MS)]);
  // A page's target id equals the id of its main frame.
  const others = targets.pages.filter((targetId) => targetId !== tab.mainFrameId);
  const interrupted = Promise.allSettled([
    interruptPage(tab.session, signal),
    ...others.map((targetId) => interruptOther(connection, targetId, signal)),
  ]);
  await Promise.race([interrupted, timeOf(connection.browser, signal)]);
  over.abort(new Error("The page does not let go."));
  await interrupted;
}

/** Waits two seconds of a browser that has the processor for itself. On a busy machine it takes longer. */
async function timeOf(browser: CdpSession, signal: AbortSignal): Promise<void> {
  try {
    for (let answers = 0; answers < ANSWERS; answers += 1) {
      await Promise.all([
        pause(PAUSE_MS, undefined, { signal }),
        browser.send("Browser.getVersion", undefined, { signal }),
      ]);
    }
  } catch {
    // The pages are interrupted, the browser is gone, or its time is over.
  }
}

async function interruptPage(page: CdpSession, signal: AbortSignal): Promise<void> {
  // An open dialog blocks the end of the script, and so does each further dialog that the script opens before
  // its end.
  const decline = () => page.post("Page.handleJavaScriptDialog", { accept: false });
  const stop = page.on("Page.javascriptDialogOpening", decline);
  page.post("Page.enable");
  decline();
  const over = Promise.allSettled([
    // NOTE: while a page loads, its renderer gets no new commands.
    page.send("Page.stopLoading"),
    page.send("Runtime.terminateExecution"),
    // When no script runs, the termination would hit the next script, so this one takes it.
    page.send("Runtime.evaluate", { expression: "0" }),
  ]);
  // A page that stops too late for the waiting caller still stops.
  void over.then(stop);
  await untilAborted(over, signal);
}

/**
 * A session that attaches after a script began cannot end it, so a page that a script keeps busy is closed.
 */
async function interruptOther(
  connection: CdpConnection,
  targetId: string,
  signal: AbortSignal,
): Promise<void> {
  const attach = { targetId, flatten: true };
  const { sessionId } = await connection.browser.send("Target.attachToTarget", attach, { signal });
  try {
    await interruptPage(connection.session(sessionId), signal);
  } catch {
    connection.browser.post("Target.closeTarget", { targetId });
  } finally {
    connection.detach(sessionId);
  }
}
