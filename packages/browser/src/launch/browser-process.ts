import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

import { killGroup } from "@pergamon-dev/kit/process/kill-group";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { BrowserFailure } from "../cdp/browser-failure.ts";
import { CdpConnection } from "../cdp/cdp-connection.ts";
import { openPipeTransport } from "../cdp/pipe-transport.ts";
import type { Account } from "./account.ts";
import { type BrowserFolder, makeBrowserFolder } from "./browser-folder.ts";

/** Allows a cold start on a slow disk. A warm start takes a tenth of a second. */
const START_LIMIT_MS = 20_000;
const CLOSE_LIMIT_MS = 2_000;
const KEPT_ERROR_BYTES = 4_000;

/** A Chromium process of ours. It always ends with this process, because its pipe breaks then. */
export interface BrowserProcess {
  readonly connection: CdpConnection;
  readonly pid: number;
  /** Ends the process and everything that it started, and removes its files. */
  close(): Promise<void>;
}

interface BrowserStart {
  readonly path: string;
  readonly flags: readonly string[];
  /** Environment variables that this program needs. It inherits none of ours. */
  readonly environment: Readonly<Record<string, string>>;
  /** Undefined runs it as this process's user. */
  readonly account: Account | undefined;
}

/**
 * Starts a Chromium and waits until it answers.
 * @throws BrowserFailure of kind `unavailable`, with the program's last output; the signal's reason once it
 * is aborted.
 */
export async function startBrowser(
  { path, flags, environment, account }: BrowserStart,
  signal: AbortSignal,
): Promise<BrowserProcess> {
  signal.throwIfAborted();
  const folder = await makeFolder(account);
  const { path: home } = folder;
  const child = spawn(path, [...flags, `--user-data-dir=${home}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    // Crash reports go to HOME regardless of the flags, and may hold parts of pages. This folder is removed.
    env: { HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, ...environment },
    // The account may lack access to our own working directory.
    cwd: home,
    // Its own process group: its helpers end with it, and Ctrl+C reaches only us, who may still need it.
    detached: true,
    ...account,
  });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const errors = keepErrors(child);
  const connection = connect(child);
  const close = async () => {
    connection.browser.post("Browser.close");
    await Promise.race([exited, afterMs(CLOSE_LIMIT_MS)]);
    killGroup(child.pid);
    connection.close();
    await exited;
    await folder.remove();
  };
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(START_LIMIT_MS)]);
    await untilAborted(connection.browser.send("Browser.getVersion"), limit);
    return { connection, pid: child.pid ?? 0, close };
  } catch (cause) {
    await close();
    signal.throwIfAborted();
    const message = `The browser ${path} did not start: ${errors() || "it gave no reason"}.`;
    throw new BrowserFailure("unavailable", message, { cause });
  }
}

async function makeFolder(account: Account | undefined): Promise<BrowserFolder> {
  try {
    return await makeBrowserFolder(account);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The browser cannot create a folder for its files: ${reason}. Set TMPDIR to a writable folder.`;
    throw new BrowserFailure("unavailable", message, { cause });
  }
}

function connect(child: ChildProcess): CdpConnection {
  const lost = () =>
    connection.fail(new BrowserFailure("browser-lost", "The browser ended while it was working."));
  const transport = openPipeTransport({
    input: child.stdio[3] as Writable,
    output: child.stdio[4] as Readable,
    onMessage: (text) => connection.receive(text),
    onClose: lost,
  });
  const connection = new CdpConnection(transport);
  child.once("exit", lost);
  child.once("error", lost);
  return connection;
}

/** Returns a function that returns the last error output of the process. */
function keepErrors(child: ChildProcess): () => string {
  let text = "";
  child.on("error", (failure) => {
    text += failure.message;
  });
  child.stderr?.on("error", () => undefined);
  child.stderr?.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString("utf8")).slice(-KEPT_ERROR_BYTES);
  });
  return () => text.trim().split("\n").at(-1) ?? "";
}

function afterMs(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs).unref());
}
