import { BrowserFailure } from "@pergamon-dev/browser/cdp/browser-failure";
import { CdpConnection } from "@pergamon-dev/browser/cdp/cdp-connection";
import type { MessageSocket } from "@pergamon-dev/browser/confined/message-socket";

export interface AttachableBrowser {
  attach(client: MessageSocket): void;
}

/** Connects as an ordinary client, so that the browser's restrictions for callers apply here too. */
export function connectTo(browser: AttachableBrowser): CdpConnection {
  // The browser begins to listen a moment later.
  const early: string[] = [];
  let hear = (text: string): void => {
    early.push(text);
  };
  let gone: () => void = () => undefined;
  const lost = () => connection.fail(new BrowserFailure("browser-lost", "The session has ended."));
  const connection = new CdpConnection({ send: (text) => hear(text), close: () => gone() });
  browser.attach({
    // NOTE: a refusal arrives while its command is still being sent, before anyone awaits it.
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
