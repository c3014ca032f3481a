import { ForeignJsonError } from "@pergamon-dev/kit/foreign/parse-json";
import type { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { ToolCallResult } from "../mcp-client/messages.ts";
import { McpFailure } from "../mcp-client/failure.ts";
import type { ToolOutput } from "../catalogue/capability.ts";
import { ToolError, type ToolErrorCode } from "../catalogue/tool-error.ts";
import type { SecretMask } from "../requests/secret-mask.ts";
import { MAX_ANSWER_BYTES } from "./call-provider.ts";
import { PROVIDER_BOUNDS } from "./parse-answer.ts";

/** Maximum characters of a server's error message. */
const MAX_WORDS = 1000;
/** Error codes of JSON-RPC and of the official MCP library. */
const codes: Readonly<Record<number, ToolErrorCode>> = { [-32_602]: "invalid_options", [-32_001]: "timeout" };

interface ResultServices {
  readonly mask: SecretMask;
  /** Parses large texts. */
  readonly thread: ForeignThread;
  readonly signal: AbortSignal;
}

/**
 * The data of a tool's result: its structured content, else the value of its only text, else the whole
 * result.
 * @throws ToolError; the signal's reason
 */
export async function outputOf(result: ToolCallResult, services: ResultServices): Promise<ToolOutput> {
  const { content, structuredContent, isError } = result;
  const texts = content.flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" ? [text] : [],
  );
  if (isError)
    throw new ToolError("upstream_error", told(texts.join("\n") || "The tool failed.", services.mask));
  if (structuredContent) return { data: structuredContent };
  const [only = ""] = texts;
  return { data: content.length === 1 && texts.length === 1 ? await valueOf(only, services) : content };
}

/** Parses a text that is JSON, within the value limit of other providers. Other texts stay unchanged. */
async function valueOf(text: string, { thread, signal }: ResultServices): Promise<unknown> {
  try {
    return await thread.parse(text, PROVIDER_BOUNDS, signal);
  } catch (failure) {
    if (failure instanceof ForeignJsonError) return text;
    throw failure;
  }
}

/** Translates a server's failure into an error of this interface. */
export function toolErrorOf(
  failure: unknown,
  { readOnly, mask }: { readonly readOnly: boolean; readonly mask: SecretMask },
): unknown {
  if (!(failure instanceof McpFailure)) return failure;
  const { kind, code, message } = failure;
  if (kind === "refused") {
    return new ToolError(
      (code === undefined ? undefined : codes[code]) ?? "upstream_error",
      told(message, mask),
    );
  }
  if (kind === "too-large") {
    return new ToolError(
      "response_too_large",
      `The provider's answer is larger than ${MAX_ANSWER_BYTES} bytes. Request less.`,
    );
  }
  if (kind === "protocol") return new ToolError("upstream_error", told(message, mask));
  if (kind !== "lost" || readOnly) {
    return new ToolError("upstream_unavailable", "The provider cannot be reached. Try again later.");
  }
  return new ToolError(
    "outcome_unknown",
    "The connection to the provider broke during this call, so its outcome is unknown. It is not charged.",
  );
}

function told(text: string, mask: SecretMask): string {
  return mask.text(text).slice(0, MAX_WORDS);
}
