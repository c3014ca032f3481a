import { tell } from "./toasts.tsx";

/** Puts a text on the clipboard, and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell("ok", "Copied.");
  } catch {
    if (copyFromField(text)) tell("ok", "Copied.");
    else
      tell(
        "bad",
        "Browsers allow copying only over HTTPS or on localhost. Select the text and copy it manually.",
      );
  }
}

/** The way of pages without HTTPS. An open dialog keeps the focus within itself, so the field stands in it. */
function copyFromField(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  const { activeElement } = document;
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  // oxlint-disable-next-line no-deprecated -- there is no other way without HTTPS
  const isCopied = document.execCommand("copy");
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  return isCopied;
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
