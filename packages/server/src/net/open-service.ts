import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Guard } from "./guard/guard.ts";
import { openServiceAgent } from "./outbound.ts";
import type { ServiceCall } from "./service-call.ts";

/** A response whose body is still arriving. */
export interface OpenedService {
  readonly status: number;
  /** Empty when the header is missing. */
  header(name: string): string;
  readonly chunks: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Calls a service that the guard admits, and streams its response. Only its end, the signal and `close` end
 * the stream. Redirects are not followed.
 * @throws NetworkError; errors of the client; the signal's reason once it is aborted.
 */
export async function openService(
  { url, method, headers, body }: Omit<ServiceCall, "maxBytes">,
  guard: Guard,
  signal: AbortSignal,
): Promise<OpenedService> {
  const { addresses } = await guard.admit(url, signal);
  const { default: undici } = await import("undici");
  const dispatcher = openServiceAgent(
    undici,
    { target: url, addresses },
    { headersTimeout: 0, bodyTimeout: 0 },
  );
  try {
    const answer = await undici.request(url, { method, dispatcher, signal, headers, body: body ?? null });
    return {
      status: answer.statusCode,
      header: (name) => String(ownProperty(answer.headers, name) ?? ""),
      chunks: answer.body as AsyncIterable<Uint8Array>,
      async close() {
        // The stream was cut off on purpose, so its error says nothing new.
        answer.body.on("error", () => undefined).destroy();
        await dispatcher.destroy();
      },
    };
  } catch (failure) {
    await dispatcher.destroy();
    throw failure;
  }
}
