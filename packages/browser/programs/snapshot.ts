import {
  clean,
  isElement,
  isShown,
  isSilent,
  isText,
  nameOf,
  NAMED_BY_CONTENT,
  roleOf,
  statesOf,
  textOf,
} from "./aria.ts";

export interface SnapshotOrder {
  readonly onlyInteractive: boolean;
  /** Leaves out structure that says nothing by itself. */
  readonly isCompact: boolean;
  readonly maxDepth?: number;
  /** CSS selector of the part to look at; the whole page without. */
  readonly scope?: string;
}

/** The page as an outline of roles and names, one line each. */
export interface Snapshot {
  readonly text: string;
  /** Elements with a reference: `e1` is the first. */
  readonly elements: readonly Element[];
}

const INTERACTIVE: ReadonlySet<string> = new Set([
  "button",
  "link",
  "textbox",
  "checkbox",
  "radio",
  "combobox",
  "listbox",
  "menuitem",
  "menuitemcheckbox",
  "menuitemradio",
  "option",
  "searchbox",
  "slider",
  "spinbutton",
  "switch",
  "tab",
  "treeitem",
]);
const REFERENCED: ReadonlySet<string> = new Set([
  ...INTERACTIVE,
  "heading",
  "img",
  "cell",
  "columnheader",
  "row",
  "dialog",
  "iframe",
]);
const MAX_LINES = 20_000;
const MAX_NAME_LENGTH = 200;

/** @throws when nothing matches the scope. */
export function takeSnapshot(order: SnapshotOrder): Snapshot {
  const root = order.scope ? document.querySelector(order.scope) : document.body;
  if (!root) throw new Error(`Nothing matches ${order.scope}`);
  const outline = new Outline(order);
  outline.walk(root, 0, false);
  return { text: outline.lines.join("\n"), elements: outline.elements };
}

class Outline {
  readonly lines: string[] = [];
  readonly elements: Element[] = [];
  readonly #order: SnapshotOrder;

  constructor(order: SnapshotOrder) {
    this.#order = order;
  }

  /** @param isNamed whether the text is part of a name that is written already. */
  walk(node: Node, depth: number, isNamed: boolean): void {
    if (this.lines.length >= MAX_LINES) return;
    if (isText(node)) this.#addText(node, depth, isNamed);
    else if (isElement(node) && !isSilent(node) && isShown(node)) this.#addElement(node, depth, isNamed);
  }

  #addText(node: Text, depth: number, isNamed: boolean): void {
    const text = clean(node.data);
    if (text && !isNamed && !this.#order.onlyInteractive)
      this.lines.push(`${this.#indent(depth)}text: ${shorten(text)}`);
  }

  #addElement(element: Element, depth: number, isNamed: boolean): void {
    const { onlyInteractive, isCompact, maxDepth } = this.#order;
    const ownRole = roleOf(element);
    const isPlain = !ownRole && element.tagName !== "BODY";
    const isInteractive = INTERACTIVE.has(ownRole) || (isPlain && isClickable(element));
    const role = ownRole || (isInteractive ? "generic" : "");
    const isWanted = isInteractive || !onlyInteractive;
    const isLine = role !== "" && isWanted && (maxDepth === undefined || depth < maxDepth);
    const at = this.lines.length;
    if (isLine) this.lines.push(this.#indent(depth) + this.#describe(element, role, isInteractive));
    const isNamer = isLine && (NAMED_BY_CONTENT.has(role) || role === "generic");
    for (const child of childrenOf(element)) this.walk(child, isLine ? depth + 1 : depth, isNamed || isNamer);
    const isBare = isLine && this.lines[at] === this.#indent(depth) + role;
    if (isCompact && isBare && this.lines.length === at + 1) this.lines.length = at;
  }

  #describe(element: Element, role: string, isInteractive: boolean): string {
    const name = shorten(role === "generic" ? clean(textOf(element)) : nameOf(element));
    const parts = [name ? `${role} ${JSON.stringify(name)}` : role];
    if (isInteractive || REFERENCED.has(role)) {
      this.elements.push(element);
      parts.push(`[ref=e${this.elements.length}]`);
    }
    parts.push(...statesOf(element).map((state) => `[${state}]`));
    const value = shorten(valueOf(element));
    return value ? `${parts.join(" ")}: ${value}` : parts.join(" ");
  }

  #indent(depth: number): string {
    return `${"  ".repeat(this.#order.onlyInteractive ? 0 : depth)}- `;
  }
}

function shorten(text: string): string {
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text;
}

function isClickable(element: Element): boolean {
  if (element.hasAttribute("onclick")) return true;
  const parent = element.parentElement;
  const isPointer = (one: Element) => getComputedStyle(one).cursor === "pointer";
  return parent !== null && isPointer(element) && !isPointer(parent);
}

function valueOf(element: Element): string {
  const { type, value } = element as HTMLInputElement;
  if (element.tagName === "SELECT")
    return clean((element as HTMLSelectElement).selectedOptions[0]?.textContent);
  const isField = element.tagName === "TEXTAREA" || element.tagName === "INPUT";
  const isSilentKind = /^(?:password|checkbox|radio|button|submit|reset|image|file)$/.test(type);
  return isField && !isSilentKind ? clean(value) : "";
}

function childrenOf(element: Element): readonly Node[] {
  if (element.tagName === "TEXTAREA") return [];
  if (element.tagName !== "IFRAME") return [...(element.shadowRoot ?? element).childNodes];
  try {
    const body = (element as HTMLIFrameElement).contentDocument?.body;
    return body ? [body] : [];
  } catch {
    return [];
  }
}
