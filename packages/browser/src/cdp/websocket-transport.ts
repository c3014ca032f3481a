import { WebSocket } from "ws";

import { BrowserFailure } from "./browser-failure.ts";
import type { CdpTransport } from "./cdp-connection.ts";

const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;

interface WebSocketOptions {
  readonly onMessage: (text: string) => void;
  readonly onClose: () => void;
}

/**
 * Connects to a remote browser. `address` is its WebSocket URL (`ws:`, `wss:`), or the HTTP URL of its
 * debugging port, which returns the WebSocket URL.
 * @throws BrowserFailure of kind `unavailable`; the signal's reason once it is aborted.
 */
export async function openWebSocketTransport(
  address: string,
  { onMessage, onClose }: WebSocketOptions,
  signal: AbortSignal,
): Promise<CdpTransport> {
  try {
    const url = /^wss?:/i.test(address) ? address : await askForWebSocket(address, signal);
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
      skipUTF8Validation: true,
    });
    await opened(socket, signal);
    socket.on("message", (data: Buffer) => onMessage(data.toString("utf8")));
    socket.on("close", onClose);
    return { send: (message) => socket.send(message, () => undefined), close: () => socket.terminate() };
  } catch (cause) {
    signal.throwIfAborted();
    throw new BrowserFailure("unavailable", `The browser at ${hostOf(address)} does not answer.`, { cause });
  }
}

async function askForWebSocket(address: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(new URL("/json/version", address), { signal });
  const { webSocketDebuggerUrl } = (await response.json()) as { webSocketDebuggerUrl: string };
  // The browser reports the address that it listens on, which may differ from the one that reaches it.
  const url = new URL(webSocketDebuggerUrl);
  url.host = new URL(address).host;
  return url.href;
}

async function opened(socket: WebSocket, signal: AbortSignal): Promise<void> {
  const giveUp = () => socket.terminate();
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.on("error", reject);
    });
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

/** Returns only the host, because the address may carry a token. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "this address";
}
