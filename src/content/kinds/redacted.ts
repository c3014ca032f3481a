import type { Redaction } from "../pii/span.ts";
import type { FileParts } from "./kind.ts";

/**
 * The parts of a file, its Markdown without personal data, and so all that is made of that. What finds such data is
 * loaded on first use.
 */
export async function redactParts(
  given: Partial<FileParts> | Promise<Partial<FileParts>>,
  redaction: Redaction,
): Promise<Partial<FileParts>> {
  const [parts, { redactMarkdown }] = await Promise.all([given, import("../pii/redact.ts")]);
  const { markdown } = parts;
  return markdown ? { ...parts, markdown: () => redactMarkdown(markdown(), redaction) } : parts;
}
