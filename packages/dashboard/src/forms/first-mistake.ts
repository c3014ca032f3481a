import { tell } from "../parts/toasts.tsx";

/** Controls whose text means nothing, or is missing. */
const WRONG = '[aria-invalid="true"], input:invalid, select:invalid, textarea:invalid';

/**
 * Whether something in a form cannot be sent as it stands. The first such control gets the focus, and the operator gets a message:
 * what is sent is what is shown.
 */
export function hasMistake(form: ParentNode | null): boolean {
  const control = form?.querySelector<HTMLElement>(WRONG);
  if (!control) return false;
  for (let outer = control.closest("details"); outer; outer = outer.parentElement?.closest("details") ?? null)
    outer.open = true;
  control.focus();
  tell("bad", `Not sent. Correct ${nameOf(control)} first.`);
  return true;
}

function nameOf(control: HTMLElement): string {
  const label =
    control.ariaLabel ?? document.querySelector(`label[for="${CSS.escape(control.id)}"]`)?.textContent;
  return label ? `“${label}”` : "the marked field";
}
