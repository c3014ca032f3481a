import { NetworkError } from "@pergamon-dev/kit/network-error";
import type { ServiceAnswer, ServiceCall, ServiceCalls } from "../../net/service-call.ts";
import { ToolError } from "../catalogue/tool-error.ts";

/** Maximum size of one call's answer. */
export const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Calls a provider. Network messages may name addresses, so callers only learn the kind of failure.
 * @throws ToolError.
 */
export async function callProvider(
  call: ServiceCall,
  calls: ServiceCalls,
  signal: AbortSignal,
): Promise<ServiceAnswer> {
  try {
    return await calls.call(call, signal);
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof NetworkError && failure.kind === "too-large") {
      throw new ToolError(
        "response_too_large",
        `The provider's answer is larger than ${MAX_ANSWER_BYTES} bytes. Request less.`,
      );
    }
    throw new ToolError("upstream_unavailable", "The provider cannot be reached. Try again later.");
  }
}
