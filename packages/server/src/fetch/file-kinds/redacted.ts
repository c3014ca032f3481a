import { lazy } from "@pergamon-dev/kit/lazy";
import type { Redaction } from "@pergamon-dev/facts/redaction/span";
import type { FileParts } from "./kind.ts";
import { unsupportedFile } from "./unreadable.ts";

/**
 * The parts of a file, its Markdown without personal data, and so all that is made of that. What finds such data is
 * loaded on first use. Of a file that is not decoded the Markdown is refused: nothing can be taken out of it.
 */
export async function redactParts(
  given: Partial<FileParts> | Promise<Partial<FileParts>>,
  redaction: Redaction,
): Promise<Partial<FileParts>> {
  const [parts, { redactMarkdown }, { redactDocument }] = await Promise.all([
    given,
    import("@pergamon-dev/facts/redaction/redact"),
    import("./redacted-document.ts"),
  ]);
  const { markdown, subject, jsonText, document } = parts;
  const redact = (text: string) => redactMarkdown(text, redaction);
  if (!markdown) return { ...parts, markdown: refuseUndecoded, redact };
  const facts = document?.();
  return {
    ...parts,
    redact,
    markdown: () => redact(markdown()),
    ...(subject && { subject: () => redact(subject()) }),
    ...(jsonText && { jsonText: () => redact(jsonText() ?? "") }),
    ...(facts && { document: lazy(() => redactDocument(facts, markdown(), redaction)) }),
  };
}

/** @throws ServiceError SCRAPE_UNSUPPORTED_FILE_ERROR; text that was not checked must not be returned. */
function refuseUndecoded(): never {
  throw unsupportedFile(
    "personal data cannot be taken out of a file that parsers do not decode. Let parsers decode it, or leave out redactPII",
  );
}
