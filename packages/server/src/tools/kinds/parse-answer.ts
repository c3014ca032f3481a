import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { recordWork } from "@pergamon-dev/kit/loop/loop-pauses";
import type { ServiceAnswer } from "../../net/service-call.ts";
import { ToolError } from "../catalogue/tool-error.ts";
import { MAX_ANSWER_BYTES } from "./call-provider.ts";

/** Bounds of JSON from a provider. */
export const PROVIDER_BOUNDS = { maxBytes: MAX_ANSWER_BYTES, maxValues: 200_000 } as const;

/** @throws ToolError for an answer with an error status. */
export function accepted(answer: ServiceAnswer): ServiceAnswer {
  const { status } = answer;
  if (status >= 200 && status <= 299) return answer;
  throw new ToolError("upstream_error", `The provider answered with status ${status}.`, status);
}

interface JsonAnswer {
  readonly text: string;
  readonly status: number;
}

/** Parses a provider's answer, in the thread when it is large. @throws ToolError; the signal's reason. */
export async function parseAnswer(
  { text, status }: JsonAnswer,
  thread: ForeignThread,
  signal: AbortSignal,
): Promise<unknown> {
  recordWork("provider");
  try {
    return await thread.parse(text, PROVIDER_BOUNDS, signal);
  } catch (failure) {
    if (!(failure instanceof ForeignJsonError)) throw failure;
    const what =
      failure.kind === "malformed"
        ? "sent an answer that is not JSON"
        : `sent an answer that ${failure.message}`;
    throw new ToolError("upstream_error", `The provider ${what}.`, status);
  }
}
