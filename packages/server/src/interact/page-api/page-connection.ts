import { BrowserFailure } from "@pergamon-dev/browser/cdp/browser-failure";
import { CdpConnection } from "@pergamon-dev/browser/cdp/cdp-connection";
import type { MessageSocket } from "@pergamon-dev/browser/confined/message-socket";

/** The browser of a session, as clients within this process reach it. */
export interface AttachableBrowser {
  attach(client: MessageSocket): void;
}

/** Connects as a client like any other: what the browser refuses to callers, it refuses here. */
export function connectTo(browser: AttachableBrowser): CdpConnection {
  // The browser listens a moment after it has been asked to.
  const early: string[] = [];
  let hear = (text: string): void => {
    early.push(text);
  };
  let gone: () => void = () => undefined;
  const lost = () => connection.fail(new BrowserFailure("browser-lost", "The session has ended."));
  const connection = new CdpConnection({ send: (text) => hear(text), close: () => gone() });
  browser.attach({
    // NOTE: a refusal comes while its command is still being sent, before it is awaited.
    send: (text) => queueMicrotask(() => connection.receive(text)),
    onMessage: (listener) => {
      hear = listener;
      for (const text of early.splice(0)) listener(text);
    },
    onClose: (listener) => {
      gone = listener;
    },
    close: lost,
  });
  return connection;
}
