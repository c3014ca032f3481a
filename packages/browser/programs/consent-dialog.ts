const MAX_BUTTONS = 2000;
const MAX_LABEL_LENGTH = 60;
/** Longer texts are pages about cookies, not dialogs. */
const MAX_DIALOG_LENGTH = 4000;
const MAX_SHADOW_ROOTS = 50;

/**
 * Presses the button that refuses cookies in a dialog that lies over the page, and tells whether there was one.
 * @param subject source of a regular expression, without case: what such dialogs speak of.
 * @param refusals source of one for the whole label of a button that refuses.
 * @param isDialog whether the document is the dialog itself: a frame that lies over the page, or a page that only asks.
 */
export function refuseDialog(subject: string, refusals: string, isDialog = false): boolean {
  const [about, refuses] = [new RegExp(subject, "iu"), new RegExp(`^(?:${refusals})$`, "iu")];
  for (const button of buttons(isDialog)) {
    if (!refuses.test(labelOf(button)) || !isSeen(button)) continue;
    const dialog = isDialog ? document.body : overlayAround(button);
    const text = dialog ? textOf(dialog) : "";
    if (!dialog || text.length > MAX_DIALOG_LENGTH || !about.test(text)) continue;
    if (!isDialog && holdsPage(dialog)) continue;
    button.click();
    return true;
  }
  return false;
}

/** Buttons of the page and of open shadow roots near the top, dialogs often have one of their own. */
function buttons(withLinks: boolean): HTMLElement[] {
  const roots: ParentNode[] = [document];
  for (const element of document.querySelectorAll("body > *, body > * > *")) {
    if (element.shadowRoot && roots.length < MAX_SHADOW_ROOTS) roots.push(element.shadowRoot);
  }
  // A link to another address would leave the page.
  const links = withLinks ? "a, " : "";
  const selector =
    links +
    "button, [role=button], a:not([href]), a[href^='#'], a[href^='javascript:'], input[type=button], input[type=submit]";
  const found = roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>(selector)]);
  // Dialogs are at one end of the page or the other.
  return [
    ...found.slice(-MAX_BUTTONS),
    ...found.slice(0, Math.max(0, Math.min(MAX_BUTTONS, found.length - MAX_BUTTONS))),
  ];
}

function labelOf(button: HTMLElement): string {
  const text = button instanceof HTMLInputElement ? button.value : (button.innerText ?? "");
  const label = text.trim() === "" ? (button.getAttribute("aria-label") ?? "") : text;
  return label.length > MAX_LABEL_LENGTH
    ? ""
    : label
        .replace(/\s+/g, " ")
        .replace(/[.!×✕→>\s]+$/u, "")
        .trim();
}

/** The outermost element around that stays on the screen while the page scrolls, or says that it is a dialog. */
function overlayAround(button: Element): Element | undefined {
  let overlay: Element | undefined;
  for (
    let element: Element | null = button;
    element && element !== document.body;
    element = parentOf(element)
  ) {
    const { position } = getComputedStyle(element);
    const isDialog = element.matches("dialog, [role=dialog], [role=alertdialog], [aria-modal=true]");
    if (isDialog || position === "fixed" || position === "sticky") overlay = element;
  }
  return overlay;
}

/** Whether an element stays on the screen while the page scrolls, and can be seen. */
export function liesOver(element: Element): boolean {
  return overlayAround(element) !== undefined && isSeen(element);
}

function parentOf(element: Element): Element | null {
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

function textOf(element: Element): string {
  const inner = element.shadowRoot?.textContent ?? "";
  return `${element.textContent ?? ""} ${inner}`.replace(/\s+/g, " ");
}

function holdsPage(element: Element): boolean {
  return element.querySelector("main, article") !== null;
}

function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  const { visibility, display } = getComputedStyle(element);
  return width > 0 && height > 0 && visibility === "visible" && display !== "none";
}
