import { useState } from "preact/hooks";

import { count } from "../format/numbers.ts";
import { copyText } from "../parts/copy.tsx";

/** A page with more characters in one text is slow to draw; who wants them asks for them. */
const SHOWN_CHARACTERS = 200_000;
/** Lines without an end make every browser slow: they are broken for the eye. */
const LINE_CHARACTERS = 5000;

interface SourceProps {
  readonly text: string;
  readonly label: string;
}

/** A text as plain text, never as markup. */
export function Source({ text, label }: SourceProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : text.slice(0, SHOWN_CHARACTERS);
  return (
    <>
      <div class="row between more">
        <span class="faint">{count(text.length)} characters</span>
        <button
          type="button"
          class="btn small"
          onClick={() => void copyText(text)}
          aria-label={`Copy ${label}`}
        >
          Copy
        </button>
      </div>
      <pre class="source foreign" dir="auto">
        {broken(shown)}
      </pre>
      {shown.length < text.length && (
        <div class="more">
          <span class="help">{count(text.length - shown.length)} characters more</span>
          <button type="button" class="btn small" onClick={() => setWhole(true)}>
            Show all
          </button>
        </div>
      )}
    </>
  );
}

function broken(text: string): string {
  return text.replaceAll(new RegExp(`[^\\n]{${LINE_CHARACTERS}}`, "g"), "$&\n");
}
