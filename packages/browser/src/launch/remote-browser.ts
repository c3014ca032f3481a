import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { BrowserFailure } from "../cdp/browser-failure.ts";
import { CdpConnection } from "../cdp/cdp-connection.ts";
import { WEBRTC_FLAGS } from "./launch-flags.ts";
import { openWebSocketTransport } from "../cdp/websocket-transport.ts";

/**
 * Connects to a remote browser.
 * @throws BrowserFailure of kind `unavailable` when it does not answer, or was started so that pages can
 * bypass our guard; the signal's reason once it is aborted.
 */
export async function connectRemoteBrowser(address: string, signal: AbortSignal): Promise<CdpConnection> {
  const lost = new BrowserFailure("browser-lost", "The connection to the browser was lost.");
  const receive = (text: string) => connection.receive(text);
  const transport = await openWebSocketTransport(
    address,
    { onMessage: receive, onClose: () => connection.fail(lost) },
    signal,
  );
  const connection = new CdpConnection(transport);
  try {
    await refuseLeaky(connection, signal);
    return connection;
  } catch (failure) {
    connection.close();
    throw failure;
  }
}

/** Everything but WebRTC uses the proxy of its context. WebRTC does so only with these flags. */
async function refuseLeaky({ browser }: CdpConnection, signal: AbortSignal): Promise<void> {
  const { commandLine } = await untilAborted(browser.send("SystemInfo.getInfo"), signal);
  const missing = WEBRTC_FLAGS.filter((flag) => !commandLine.includes(flag));
  if (missing.length === 0) return;
  throw new BrowserFailure(
    "unavailable",
    `A browser elsewhere lets pages get past the network guard. Start it with ${missing.join(" ")}`,
  );
}
