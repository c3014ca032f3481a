import { lazy } from "@pergamon-dev/kit/lazy";
import type { Redaction } from "@pergamon-dev/facts/redaction/span";
import type { FileParts } from "./kind.ts";
import { unsupportedFile } from "./unreadable.ts";

/**
 * Parts of a file with redacted Markdown, and so everything that is made from that. The detector is loaded on
 * first use. The Markdown of an undecoded file is refused, because it cannot be redacted.
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

/** @throws ServiceError SCRAPE_UNSUPPORTED_FILE_ERROR, because unchecked text must not be returned. */
function refuseUndecoded(): never {
  throw unsupportedFile(
    "personal data cannot be taken out of a file that parsers do not decode. Let parsers decode it, or leave out redactPII",
  );
}
