import type { z } from "zod";

import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { ServiceAnswer, ServiceCall } from "../../net/service-call.ts";
import { SearchEngineError } from "./search-engine.ts";

export interface EngineParts {
  readonly call: (call: ServiceCall, signal: AbortSignal) => Promise<ServiceAnswer>;
  /** Parses the responses of engines. */
  readonly thread: ForeignThread;
  /** Replaces the engine's own address. */
  readonly origin?: string;
}

/** One request to an engine. */
interface EngineQuestion<Schema extends z.ZodType> {
  /** Name for the message of a failure. */
  readonly engine: string;
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON by POST. Default: a GET. */
  readonly body?: object;
  readonly answer: Schema;
}

const BOUNDS = { maxBytes: 4 * 1024 * 1024, maxValues: 100_000 } as const;

/**
 * @throws SearchEngineError whose message names the engine and never contains the request; the signal's
 * reason.
 */
export async function askEngine<Schema extends z.ZodType>(
  question: EngineQuestion<Schema>,
  { call, thread }: EngineParts,
  signal: AbortSignal,
): Promise<z.output<Schema>> {
  const { engine, answer } = question;
  try {
    const { status, body } = await call(callOf(question), signal);
    if (status !== 200) throw new SearchEngineError(`${engine} answered with status ${status}.`);
    const value = await thread.parse(Buffer.from(body).toString("utf8"), BOUNDS, signal);
    const { data } = answer.safeParse(value);
    if (data === undefined) throw new SearchEngineError(`${engine} answered with JSON of another shape.`);
    return data;
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof SearchEngineError) throw cause;
    // Messages of network failures may quote the address, and a key with it.
    const why = cause instanceof ForeignJsonError ? `The answer ${cause.message}` : "It cannot be reached";
    throw new SearchEngineError(`${engine} did not answer as it should. ${why}.`);
  }
}

function callOf({ url, headers = {}, body }: EngineQuestion<z.ZodType>): ServiceCall {
  const common = { url, maxBytes: BOUNDS.maxBytes };
  if (!body) return { ...common, method: "GET", headers: { accept: "application/json", ...headers } };
  const type = { accept: "application/json", "content-type": "application/json" };
  return { ...common, method: "POST", headers: { ...type, ...headers }, body: JSON.stringify(body) };
}
