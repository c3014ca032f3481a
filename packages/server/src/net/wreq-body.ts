import type { Response } from "wreq-js";

import { collectBytes } from "@pergamon-dev/kit/byte-collector";
import type { NativeClient } from "./native-client.ts";

/** Minimum interval between clean-ups of the native client's body store. */
const SWEEP_AFTER_MS = 350;
const SWEEP_READS = 8;
const SWEEP_ROUNDS = 4;
const NOTHING = new Uint8Array(0);
const NO_BODY = {
  status: 200,
  headers: [],
  bodyHandle: 0,
  bodyBytes: null,
  contentLength: null,
  cookies: [],
  url: "",
};

/** Reads the bodies of the native client, and releases unwanted ones. */
export interface BodyReader {
  /**
   * @throws NetworkError of kind `too-large` beyond `maxBytes`, errors of the client, or the signal's reason
   * once it is aborted. In each case the connection is closed.
   */
  read(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>;
  /** Closes the connection, unless the body has arrived with the head. */
  discard(response: Response): Promise<void>;
  close(): Promise<void>;
}

export function openBodyReader(native: NativeClient): BodyReader {
  const sweeper = openSweeper(native);

  async function drain(stream: ByteStream, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
    const reader = stream.getReader();
    const stop = () => void reader.cancel().then(sweeper.schedule, sweeper.schedule);
    signal.addEventListener("abort", stop, { once: true });
    try {
      const collector = collectBytes(maxBytes);
      for (let next = await reader.read(); !next.done; next = await reader.read()) collector.add(next.value);
      signal.throwIfAborted();
      return collector.bytes();
    } catch (failure) {
      stop();
      throw failure;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  return {
    async read(response, maxBytes, signal) {
      const inline = inlineBody(response);
      if (inline) return inline;
      return response.body ? drain(response.body, maxBytes, signal) : NOTHING;
    },
    async discard(response) {
      if (inlineBody(response) || !response.body) return;
      await response.body.cancel();
      sweeper.schedule();
    },
    close: sweeper.stop,
  };
}

type ByteStream = NonNullable<Response["body"]>;

/**
 * Bodies of known length up to a few MB arrive together with the head. Taking them directly saves a third of
 * the cost of a small fetch. The public stream is a fallback for later versions that store them elsewhere.
 */
function inlineBody(response: Response): Uint8Array | undefined {
  const inline: unknown = Reflect.get(response, "inlineBody");
  return inline instanceof Uint8Array ? inline : undefined;
}

/**
 * NOTE: the native client drops a cancelled body, and closes its connection, only when it happens to clean up
 * its store while reading other bodies, and not always the first time. Asking for a body that does not exist
 * triggers the clean-up.
 */
function openSweeper({ Response }: NativeClient): { schedule: () => void; stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let roundsLeft = 0;
  let running = Promise.resolve();

  const start = () => {
    timer = setTimeout(() => {
      running = sweep();
    }, SWEEP_AFTER_MS).unref();
  };
  const sweep = async () => {
    roundsLeft -= 1;
    for (let count = 0; count < SWEEP_READS; count += 1) {
      const reader = new Response(NO_BODY, "").body?.getReader();
      await reader?.read().catch(() => undefined);
    }
    timer = undefined;
    if (roundsLeft > 0) start();
  };

  return {
    schedule() {
      roundsLeft = SWEEP_ROUNDS;
      if (!timer) start();
    },
    async stop() {
      roundsLeft = 0;
      clearTimeout(timer);
      await running;
    },
  };
}
