/** What the agent of a prompt does with elements. Texts that are returned are for the model. */

const MAX_TEXT_LENGTH = 20_000;
const MAX_OPTIONS_NAMED = 30;
/** Fields whose value keys do not make, such as dates. */
const SET_BY_VALUE = /^(?:date|time|datetime-local|month|week|color|range)$/;

/** Focuses the element and selects what is in it. @returns why nothing can be typed there; empty where it can. */
export function prepareTyping(element: HTMLInputElement): string {
  if (element.disabled || element.readOnly) return "It cannot be changed now.";
  element.scrollIntoView({ block: "center", behavior: "instant" });
  element.focus();
  if (typeof element.select === "function") element.select();
  else if ((element as HTMLElement).isContentEditable) getSelection()?.selectAllChildren(element);
  else if (!("value" in element)) return "Nothing can be typed there.";
  return "";
}

/** @returns false for fields that are typed into. */
export function setValue(element: HTMLInputElement, value: string): boolean {
  if (!SET_BY_VALUE.test(element.type || "")) return false;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(element, value);
  announce(element);
  return true;
}

/** @returns what is wrong; empty where the option is chosen. */
export function selectOption(element: HTMLSelectElement, wanted: string): string {
  const options = [...(element.options ?? [])];
  const is = (text: string) => text.trim().toLowerCase() === wanted.trim().toLowerCase();
  const option = options.find(({ label, text, value }) => is(label) || is(text) || is(value));
  if (!option) {
    const names = options.map(({ text }) => text.trim()).slice(0, MAX_OPTIONS_NAMED);
    return `Unknown option. Options: ${names.join(", ")}`;
  }
  option.selected = true;
  announce(element);
  return "";
}

export function readText(element: HTMLElement): string {
  return (element.innerText ?? element.textContent ?? "").slice(0, MAX_TEXT_LENGTH);
}

function announce(element: Element): void {
  element.dispatchEvent(new Event("input", { bubbles: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
}
