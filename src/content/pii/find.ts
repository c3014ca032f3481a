import { detectors } from "./detectors.ts";
import { type Redaction, settle, type Span } from "./span.ts";

/** The personal data in a text: spans without overlap, in order. */
export function findPersonalData(text: string, _mode: Redaction["mode"]): readonly Span[] {
  return settle(detectors.flatMap(({ find }) => find(text)));
}
