import { lazy } from "../../kit/lazy.ts";
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
  const [parts, { redactMarkdown }, { redactDocument }] = await Promise.all([
    given,
    import("../pii/redact.ts"),
    import("./redacted-document.ts"),
  ]);
  const { markdown, document } = parts;
  if (!markdown) return parts;
  const facts = document?.();
  return {
    ...parts,
    markdown: () => redactMarkdown(markdown(), redaction),
    ...(facts && { document: lazy(() => redactDocument(facts, markdown(), redaction)) }),
  };
}
