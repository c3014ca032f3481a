/** Something that the stream of the service said, or what became of it. */
interface StreamEvent {
  readonly event: string;
  /** JSON; empty where there is none. */
  readonly data: string;
}

/** What the service sends; `open` and `error` are of the connection itself. */
const EVENTS = ["open", "error", "status", "request", "job", "session", "reset"] as const;

/** How long until another attempt, once the browser has given up by itself. */
const RETRY_MS = 2000;
const NAME = "pergamon-events";

/**
 * Follows the events of the service with one stream for all tabs of this browser: connections to one host are few. The tab
 * that holds the stream tells the others. Hidden tabs hold none. Browsers without locks, as over plain HTTP
 * from another machine, have a stream for each tab that is seen.
 *
 * @param tell called with each event, and with `back` when this tab may have missed some
 * @param onLost called when the stream could not be opened, which may mean that the login has ended
 * @returns what ends it
 */
export function followEvents(tell: (event: StreamEvent) => void, onLost: () => void): () => void {
  const channel = new BroadcastChannel(NAME);
  const share = channel.postMessage.bind(channel);
  channel.addEventListener("message", ({ data }) => tell(data as StreamEvent));
  let leaving = new AbortController();
  let wasHidden = false;

  function onEvent(event: StreamEvent): void {
    share(event);
    tell(event);
  }
  function compete(): void {
    const { signal } = leaving;
    if (!("locks" in navigator)) {
      void hold(tell, onLost, signal);
      return;
    }
    // Given up, because the tab is hidden.
    holdInTurn(onEvent, onLost, signal).catch(() => undefined);
  }
  function onVisibility(): void {
    leaving.abort();
    if (document.hidden) {
      wasHidden = true;
      return;
    }
    leaving = new AbortController();
    if (wasHidden) tell({ event: "back", data: "" });
    wasHidden = false;
    compete();
  }
  document.addEventListener("visibilitychange", onVisibility);
  if (document.hidden) wasHidden = true;
  else compete();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    leaving.abort();
    channel.close();
  };
}

/** Holds the stream now or once no other tab does. Events in between were not delivered. */
async function holdInTurn(
  tell: (event: StreamEvent) => void,
  onLost: () => void,
  signal: AbortSignal,
): Promise<void> {
  let isMine = true;
  await navigator.locks.request(NAME, { ifAvailable: true }, async (lock) => {
    isMine = lock !== null;
    if (isMine) await hold(tell, onLost, signal);
  });
  if (isMine) return;
  const tellAfterGap = (event: StreamEvent) => {
    if (event.event === "open") tell({ event: "back", data: "" });
    tell(event);
  };
  await navigator.locks.request(NAME, { signal }, () => hold(tellAfterGap, onLost, signal));
}

/** Keeps a stream open until the signal is aborted. */
function hold(tell: (event: StreamEvent) => void, onLost: () => void, signal: AbortSignal): Promise<void> {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    const opened = new EventSource("/admin/api/events");
    source = opened;
    for (const event of EVENTS) {
      opened.addEventListener(event, (message) => {
        tell({ event, data: "data" in message ? String(message.data) : "" });
        // A browser tries again by itself unless the answer was not a stream.
        if (event === "error" && opened.readyState === EventSource.CLOSED)
          timer = setTimeout(retry, RETRY_MS);
      });
    }
  }
  function retry(): void {
    onLost();
    open();
  }
  if (signal.aborted) return Promise.resolve();
  open();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      source?.close();
      resolve();
    });
  });
}
