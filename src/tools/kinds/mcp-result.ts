import type { CallResult } from "../../platform/mcp/messages.ts";
import { McpFailure } from "../../platform/mcp/failure.ts";
import type { ToolOutput } from "../catalogue/capability.ts";
import { ToolError, type ToolErrorCode } from "../catalogue/tool-error.ts";
import type { SecretMask } from "../requests/secret-mask.ts";
import { MAX_ANSWER_BYTES } from "./call-provider.ts";

/** What a server may say of a failure. */
const MAX_WORDS = 1000;
/** Codes of JSON-RPC, and of the protocol's official library. */
const codes: Readonly<Record<number, ToolErrorCode>> = { [-32_602]: "invalid_options", [-32_001]: "timeout" };

/** What a tool returned: its structured content, else what its only text says, else all of it. @throws ToolError. */
export function outputOf({ content, structuredContent, isError }: CallResult, mask: SecretMask): ToolOutput {
  const texts = content.flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" ? [text] : [],
  );
  if (isError) throw new ToolError("upstream_error", told(texts.join("\n") || "The tool failed.", mask));
  if (structuredContent) return { data: structuredContent };
  const [only = ""] = texts;
  return { data: content.length === 1 && texts.length === 1 ? valueOf(only) : content };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A failure of the server, in the words of the interface. */
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
