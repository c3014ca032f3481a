import { useState } from "preact/hooks";

interface CodeProps {
  /** What it is. */
  readonly label: string;
  readonly text: string;
}

/** Text to copy. */
export function Code({ label, text }: CodeProps) {
  const [told, setTold] = useState("Copy");
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setTold("Copied");
    } catch {
      // Browsers allow it over HTTPS or on localhost only.
      setTold("Select the text to copy it");
    }
  }
  return (
    <figure class="code-block">
      <figcaption class="row between">
        <span class="faint">{label}</span>
        <button
          type="button"
          class="btn small quiet"
          aria-label={`${told}: ${label}`}
          onClick={() => void copy()}
        >
          {told}
        </button>
      </figcaption>
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </figure>
  );
}
