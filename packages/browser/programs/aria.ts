/**
 * What assistive technology learns of elements, as far as people go by it: roles (HTML-AAM), names (accname, without
 * what style sheets add) and states.
 */

const INPUT_ROLES: Readonly<Record<string, string>> = {
  button: "button",
  submit: "button",
  reset: "button",
  image: "button",
  checkbox: "checkbox",
  radio: "radio",
  range: "slider",
  number: "spinbutton",
  search: "searchbox",
  hidden: "",
};

const TAG_ROLES: Readonly<Record<string, string>> = {
  BUTTON: "button",
  SUMMARY: "button",
  TEXTAREA: "textbox",
  OPTION: "option",
  NAV: "navigation",
  MAIN: "main",
  HEADER: "banner",
  FOOTER: "contentinfo",
  ASIDE: "complementary",
  ARTICLE: "article",
  UL: "list",
  OL: "list",
  MENU: "list",
  LI: "listitem",
  TABLE: "table",
  TR: "row",
  TD: "cell",
  TH: "columnheader",
  DIALOG: "dialog",
  P: "paragraph",
  PROGRESS: "progressbar",
  METER: "meter",
  FIELDSET: "group",
  DETAILS: "group",
  HR: "separator",
  OUTPUT: "status",
  IFRAME: "iframe",
  H1: "heading",
  H2: "heading",
  H3: "heading",
  H4: "heading",
  H5: "heading",
  H6: "heading",
};

/** Roles whose name is their content. */
export const NAMED_BY_CONTENT: ReadonlySet<string> = new Set([
  "button",
  "link",
  "heading",
  "option",
  "cell",
  "columnheader",
  "rowheader",
  "checkbox",
  "radio",
  "switch",
  "tab",
  "menuitem",
  "menuitemcheckbox",
  "menuitemradio",
  "treeitem",
  "tooltip",
]);

/** Nested deeper, text is left out. */
const MAX_DEPTH = 50;

/** With one space wherever there is any. */
export function clean(text: string | null | undefined): string {
  return (text ?? "").replace(/\s+/g, " ").trim();
}

/** Empty where the element has none. */
export function roleOf(element: Element): string {
  const explicit = (element.getAttribute("role") ?? "").trim().split(/\s+/)[0]?.toLowerCase();
  if (explicit) return explicit === "none" || explicit === "presentation" ? "" : explicit;
  const ofKind = KINDS[element.tagName.toUpperCase()];
  if (ofKind) return ofKind(element);
  const isEditable = (element as HTMLElement).isContentEditable && element.hasAttribute("contenteditable");
  return isEditable ? "textbox" : (TAG_ROLES[element.tagName.toUpperCase()] ?? "");
}

/** Roles that depend on more than the tag. */
const KINDS: Readonly<Record<string, (element: Element) => string>> = {
  A: linkRole,
  AREA: linkRole,
  INPUT: inputRole,
  SELECT: (element) => {
    const { multiple, size } = element as HTMLSelectElement;
    return multiple || size > 1 ? "listbox" : "combobox";
  },
  IMG: (element) => (element.getAttribute("alt") === "" ? "" : "img"),
  SECTION: (element) =>
    element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby") ? "region" : "",
  FORM: () => "form",
};

function linkRole(element: Element): string {
  return element.hasAttribute("href") ? "link" : "";
}

function inputRole(element: Element): string {
  if (element.hasAttribute("list")) return "combobox";
  return INPUT_ROLES[(element as HTMLInputElement).type] ?? "textbox";
}

export function isShown(element: Element): boolean {
  if (element.getAttribute("aria-hidden") === "true" || element.tagName === "NOSCRIPT") return false;
  if (element.tagName === "OPTION" || getComputedStyle(element).display === "contents") return true;
  return element.checkVisibility({ visibilityProperty: true });
}

/** Text that is shown, shadow roots included. */
export function textOf(node: Node, depth = 0): string {
  if (isText(node)) return node.data;
  if (!isElement(node) || depth > MAX_DEPTH || isSilent(node) || !isShown(node)) return "";
  const own = node.getAttribute("aria-label") || (node.tagName === "IMG" && node.getAttribute("alt"));
  if (own) return ` ${own} `;
  if (node.tagName === "BR") return " ";
  const text = [...(node.shadowRoot ?? node).childNodes].map((child) => textOf(child, depth + 1)).join("");
  return getComputedStyle(node).display.startsWith("inline") ? text : ` ${text} `;
}

export function nameOf(element: Element): string {
  const { labels, type, title, value } = element as HTMLInputElement;
  const labelled = labelledBy(element);
  if (labelled.length > 0) return clean(labelled.map((one) => textOf(one)).join(" "));
  const label = clean(element.getAttribute("aria-label"));
  if (label) return label;
  if (labels && labels.length > 0) return clean([...labels].map((one) => textOf(one)).join(" "));
  if (element.tagName === "IMG" || type === "image") return clean(element.getAttribute("alt") || title);
  if (element.tagName === "INPUT" && /^(?:button|submit|reset)$/.test(type))
    return clean(value) || BUTTON_NAMES[type] || "";
  if (element.tagName === "FIELDSET") return clean(element.querySelector(":scope > legend")?.textContent);
  const { caption } = element as HTMLTableElement;
  if (element.tagName === "TABLE" && caption) return clean(caption.textContent);
  const content = NAMED_BY_CONTENT.has(roleOf(element)) ? clean(textOf(element)) : "";
  return content || clean(title || element.getAttribute("placeholder"));
}

const BUTTON_NAMES: Readonly<Record<string, string>> = { submit: "Submit", reset: "Reset" };

function labelledBy(element: Element): readonly Element[] {
  const ids = (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter(Boolean);
  const root = element.getRootNode() as Partial<Document>;
  return ids.map((id) => root.getElementById?.(id)).filter((one) => one !== null && one !== undefined);
}

export function statesOf(element: Element): readonly string[] {
  const { type, checked, required } = element as Partial<HTMLInputElement>;
  const is = (name: string) => element.getAttribute(`aria-${name}`) === "true";
  const level = levelOf(element);
  const states: Readonly<Record<string, boolean>> = {
    checked: (/^(?:checkbox|radio)$/.test(type ?? "") && checked === true) || is("checked"),
    disabled: element.matches(":disabled") || is("disabled"),
    expanded: is("expanded") || isOpen(element),
    selected: (element as Partial<HTMLOptionElement>).selected === true || is("selected"),
    required: required === true || is("required"),
  };
  const names = Object.keys(states).filter((name) => states[name]);
  return level ? [`level=${level}`, ...names] : names;
}

function levelOf(element: Element): string | null | undefined {
  if (roleOf(element) !== "heading") return undefined;
  return /^H[1-6]$/.test(element.tagName) ? element.tagName[1] : element.getAttribute("aria-level");
}

function isOpen(element: Element): boolean {
  return element.tagName === "SUMMARY" && (element.parentElement as HTMLDetailsElement | null)?.open === true;
}

/** Of any document: frames have classes of their own. */
export function isText(node: Node): node is Text {
  return node.nodeType === Node.TEXT_NODE;
}

export function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE;
}

export function isSilent(element: Element): boolean {
  return /^(?:SCRIPT|STYLE|TEMPLATE)$/.test(element.tagName);
}
