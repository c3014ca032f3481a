import { detectors } from "./detectors.ts";
import { joinNames } from "./join-names.ts";
import { landmarks } from "./landmarks.ts";
import { listedNames } from "./listed-names.ts";
import { namesByTagger } from "./names.ts";
import { realNames } from "./no-names.ts";
import { type Redaction, withoutOverlaps, type Span } from "./span.ts";
import { shippedTagger } from "./tagger/tagger.ts";

/** The personal data in a text: spans without overlap, in order. */
export function findPersonalData(
  text: string,
  mode: Redaction["mode"],
  tagger = shippedTagger(),
): readonly Span[] {
  const byForm = detectors.flatMap(({ find }) => find(text));
  const marks = landmarks(text);
  const listed = listedNames(text, tagger.lookup);
  const settled = (names: readonly Span[]) =>
    withoutOverlaps([...byForm, ...realNames(text, joinNames(text, names))]);
  if (mode === "fast") return settled([...marks, ...listed]);
  return settled([...marks, ...namesByTagger(text, tagger, RELUCTANCE[mode]), ...listed]);
}

/** How much less a word needs to look like a name: `aggressive` finds more, and more that is none. */
const RELUCTANCE: Readonly<Record<Exclude<Redaction["mode"], "fast">, number>> = {
  accurate: 0,
  aggressive: 40,
};
