import { tell } from "./toasts.tsx";

/** Puts a text on the clipboard, and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell("ok", "Copied.");
  } catch {
    tell(
      "bad",
      "Browsers allow copying only over HTTPS or on localhost. Select the text and copy it manually.",
    );
  }
}

interface SecretProps {
  readonly value: string;
  readonly label: string;
}

/** A text to copy, such as a key that is shown once. */
export function CopyLine({ value, label }: SecretProps) {
  return (
    <div class="secret">
      <code>{value}</code>
      <button
        type="button"
        class="btn small"
        aria-label={`Copy ${label}`}
        onClick={() => void copyText(value)}
      >
        Copy
      </button>
    </div>
  );
}
