/** What is done to elements for callers' code, and what is read of them. */

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Choice {
  readonly value?: string;
  readonly label?: string;
}

/** Scrolls it into view. @returns its middle once it can be hit there; undefined while it cannot. */
export function aim(element: HTMLElement): Point | undefined {
  if (!element.isConnected) throw new Error("The element is not on the page any more.");
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0);
  if (!box || getComputedStyle(element).visibility !== "visible") return undefined;
  if (element.matches(":disabled")) return undefined;
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const hit = (element.getRootNode() as Document | ShadowRoot).elementFromPoint(point.x, point.y);
  return hit && isSame(element, hit) ? point : undefined;
}

/** Replaces the text of a field or an editable element. */
export function fill(element: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const isEditable = element.isContentEditable;
  if (!isEditable && !/^(?:INPUT|TEXTAREA)$/.test(element.tagName))
    throw new Error("This element cannot be filled.");
  if (element.disabled || element.readOnly) throw new Error("This element cannot be changed.");
  element.scrollIntoView({ block: "center", behavior: "instant" });
  element.focus();
  if (isEditable) element.textContent = text;
  else setValue(element, text);
  element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Chooses options by value or label. @returns the values that are chosen then. */
export function select(element: HTMLSelectElement, wanted: readonly (string | Choice)[]): readonly string[] {
  if (element.tagName !== "SELECT") throw new Error("This element is not a <select>.");
  const texts = wanted.map((one) => (typeof one === "string" ? one : (one.value ?? one.label ?? "")));
  const chosen = [...element.options].filter(
    ({ value, label }) => texts.includes(value) || texts.includes(label),
  );
  if (chosen.length === 0 && texts.length > 0) throw new Error(`Unknown option: ${texts.join(", ")}`);
  for (const option of element.options)
    option.selected = element.multiple ? chosen.includes(option) : option === chosen[0];
  element.dispatchEvent(new Event("input", { bubbles: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
  return [...element.selectedOptions].map(({ value }) => value);
}

export function innerText(element: HTMLElement): string | null {
  return element.innerText ?? element.textContent;
}

export function innerHTML(element: Element): string {
  return element.innerHTML;
}

export function textContent(element: Element): string | null {
  return element.textContent;
}

export function inputValue(element: HTMLInputElement): string {
  return element.value;
}

export function getAttribute(element: Element, name: string): string | null {
  return element.getAttribute(name);
}

export function isEnabled(element: Element): boolean {
  return !element.matches(":disabled");
}

export function isChecked(element: Element & { readonly checked?: boolean }): boolean {
  return element.checked === true || element.getAttribute("aria-checked") === "true";
}

export function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
}

export function boundingBox(element: Element): Point & { readonly width: number; readonly height: number } {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x, y, width, height };
}

export function focus(element: HTMLElement): void {
  element.focus();
}

export function scrollIntoViewIfNeeded(element: Element): void {
  element.scrollIntoView({ block: "center", behavior: "instant" });
}

function isSame(element: Element, hit: Element): boolean {
  if (hit === element || element.contains(hit) || hit.contains(element)) return true;
  return hit.closest("label")?.control === element;
}

/** Libraries put a setter of their own on elements, which would hide the change from them. */
function setValue(element: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const kind = element.tagName === "INPUT" ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(element, text);
}
