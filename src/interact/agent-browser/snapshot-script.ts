import { ARIA_FUNCTIONS } from "../page-api/aria-script.ts";

/**
 * A function for pages: the page as an outline of roles and names, one line each. `elements` are those that have a
 * reference (`e1` is the first), `text` is the outline.
 */
export const SNAPSHOT_SCRIPT = `({ onlyInteractive, isCompact, mostDepth, scope }) => {
  ${ARIA_FUNCTIONS}
  const INTERACTIVE = new Set(["button", "link", "textbox", "checkbox", "radio", "combobox", "listbox", "menuitem",
    "menuitemcheckbox", "menuitemradio", "option", "searchbox", "slider", "spinbutton", "switch", "tab", "treeitem"]);
  const REFERENCED = new Set([...INTERACTIVE, "heading", "img", "cell", "columnheader", "row", "dialog", "iframe"]);
  const MOST_LINES = 20000;
  const MOST_NAME = 200;
  const elements = [];
  const lines = [];
  const shorten = (text) => (text.length > MOST_NAME ? text.slice(0, MOST_NAME) + "…" : text);
  const isClickable = (element) => {
    if (element.hasAttribute("onclick")) return true;
    const parent = element.parentElement;
    return parent !== null && getComputedStyle(element).cursor === "pointer" && getComputedStyle(parent).cursor !== "pointer";
  };
  const valueOf = (element) => {
    if (element.tagName === "SELECT") return clean(element.selectedOptions[0]?.textContent);
    const isText = element.tagName === "TEXTAREA" || element.tagName === "INPUT";
    const isSilent = /^(?:password|checkbox|radio|button|submit|reset|image|file)$/.test(element.type);
    return isText && !isSilent ? clean(element.value) : "";
  };
  const describe = (element, role, isInteractive) => {
    const name = shorten(role === "generic" ? clean(textOf(element)) : nameOf(element));
    const parts = [role + (name ? " " + JSON.stringify(name) : "")];
    if (isInteractive || REFERENCED.has(role)) {
      elements.push(element);
      parts.push("[ref=e" + elements.length + "]");
    }
    parts.push(...statesOf(element).map((state) => "[" + state + "]"));
    const value = shorten(valueOf(element));
    return parts.join(" ") + (value ? ": " + value : "");
  };
  const childrenOf = (node) => {
    if (node.tagName === "TEXTAREA") return [];
    if (node.tagName !== "IFRAME") return [...(node.shadowRoot || node).childNodes];
    try {
      return [node.contentDocument.body];
    } catch {
      return [];
    }
  };
  const walk = (node, depth, isNamed) => {
    if (lines.length >= MOST_LINES) return;
    const indent = "  ".repeat(onlyInteractive ? 0 : depth) + "- ";
    if (node.nodeType === 3) {
      const text = clean(node.data);
      if (text && !isNamed && !onlyInteractive) lines.push(indent + "text: " + shorten(text));
      return;
    }
    if (node.nodeType !== 1 || /^(?:SCRIPT|STYLE|TEMPLATE)$/.test(node.tagName) || !isShown(node)) return;
    const ownRole = roleOf(node);
    const isInteractive = INTERACTIVE.has(ownRole) || (!ownRole && node.tagName !== "BODY" && isClickable(node));
    const role = ownRole || (isInteractive ? "generic" : "");
    const isLine = role && (isInteractive || !onlyInteractive) && (mostDepth === undefined || depth < mostDepth);
    const at = lines.length;
    if (isLine) lines.push(indent + describe(node, role, isInteractive));
    const isNamer = isLine && (FROM_CONTENT.has(role) || role === "generic");
    for (const child of childrenOf(node)) if (child) walk(child, isLine ? depth + 1 : depth, isNamed || isNamer);
    // Structure that says nothing by itself.
    const isBare = isLine && lines[at] === indent + role;
    if (isCompact && isBare && lines.length === at + 1) lines.length = at;
  };
  const root = scope ? document.querySelector(scope) : document.body;
  if (!root) throw new Error("Nothing matches " + scope);
  walk(root, 0, false);
  return { text: lines.join("\\n"), elements };
}`;
