/**
 * What assistive technology is told of elements, as far as people go by it: roles (HTML-AAM), names (accname, without
 * what style sheets add) and states. Source of functions for pages: `roleOf`, `nameOf`, `statesOf`, `isShown`.
 */
export const ARIA_FUNCTIONS = `
  const INPUT_ROLES = { button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox",
    radio: "radio", range: "slider", number: "spinbutton", search: "searchbox", hidden: "" };
  const TAG_ROLES = { BUTTON: "button", SUMMARY: "button", TEXTAREA: "textbox", OPTION: "option", NAV: "navigation",
    MAIN: "main", HEADER: "banner", FOOTER: "contentinfo", ASIDE: "complementary", ARTICLE: "article", UL: "list",
    OL: "list", MENU: "list", LI: "listitem", TABLE: "table", TR: "row", TD: "cell", TH: "columnheader",
    DIALOG: "dialog", P: "paragraph", PROGRESS: "progressbar", METER: "meter", FIELDSET: "group", DETAILS: "group",
    HR: "separator", OUTPUT: "status", IFRAME: "iframe", H1: "heading", H2: "heading", H3: "heading", H4: "heading",
    H5: "heading", H6: "heading" };
  const FROM_CONTENT = new Set(["button", "link", "heading", "option", "cell", "columnheader", "rowheader", "checkbox",
    "radio", "switch", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem", "tooltip"]);
  const clean = (text) => (text || "").replace(/\\s+/g, " ").trim();
  const roleOf = (element) => {
    const explicit = (element.getAttribute("role") || "").trim().split(/\\s+/)[0].toLowerCase();
    if (explicit) return explicit === "none" || explicit === "presentation" ? "" : explicit;
    const tag = element.tagName.toUpperCase();
    if (tag === "A" || tag === "AREA") return element.hasAttribute("href") ? "link" : "";
    if (tag === "INPUT") {
      if (element.hasAttribute("list")) return "combobox";
      return element.type in INPUT_ROLES ? INPUT_ROLES[element.type] : "textbox";
    }
    if (tag === "SELECT") return element.multiple || element.size > 1 ? "listbox" : "combobox";
    if (tag === "IMG") return element.getAttribute("alt") === "" ? "" : "img";
    if (tag === "SECTION") return element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby") ? "region" : "";
    if (tag === "FORM") return "form";
    if (element.isContentEditable && element.hasAttribute("contenteditable")) return "textbox";
    return TAG_ROLES[tag] || "";
  };
  const isShown = (element) => {
    if (element.getAttribute("aria-hidden") === "true" || element.tagName === "NOSCRIPT") return false;
    if (element.tagName === "OPTION" || getComputedStyle(element).display === "contents") return true;
    return element.checkVisibility({ visibilityProperty: true });
  };
  const textOf = (node, depth = 0) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1 || depth > 50 || /^(?:SCRIPT|STYLE|TEMPLATE)$/.test(node.tagName) || !isShown(node)) return "";
    const own = node.getAttribute("aria-label") || (node.tagName === "IMG" && node.getAttribute("alt"));
    if (own) return " " + own + " ";
    if (node.tagName === "BR") return " ";
    const children = node.shadowRoot ? node.shadowRoot.childNodes : node.childNodes;
    const text = [...children].map((child) => textOf(child, depth + 1)).join("");
    return getComputedStyle(node).display.startsWith("inline") ? text : " " + text + " ";
  };
  const nameOf = (element) => {
    const ids = (element.getAttribute("aria-labelledby") || "").split(/\\s+/).filter(Boolean);
    const labelled = ids.map((id) => element.getRootNode().getElementById?.(id)).filter(Boolean);
    if (labelled.length > 0) return clean(labelled.map((one) => textOf(one)).join(" "));
    const label = clean(element.getAttribute("aria-label"));
    if (label) return label;
    if (element.labels && element.labels.length > 0) return clean([...element.labels].map((one) => textOf(one)).join(" "));
    if (element.tagName === "IMG" || element.type === "image") return clean(element.getAttribute("alt") || element.title);
    if (element.tagName === "INPUT" && /^(?:button|submit|reset)$/.test(element.type))
      return clean(element.value) || { submit: "Submit", reset: "Reset" }[element.type] || "";
    if (element.tagName === "FIELDSET") return clean(element.querySelector(":scope > legend")?.textContent);
    if (element.tagName === "TABLE" && element.caption) return clean(element.caption.textContent);
    const content = FROM_CONTENT.has(roleOf(element)) ? clean(textOf(element)) : "";
    return content || clean(element.title || element.getAttribute("placeholder"));
  };
  const statesOf = (element) => {
    const is = (name) => element.getAttribute("aria-" + name) === "true";
    const level = /^H[1-6]$/.test(element.tagName) ? element.tagName[1] : element.getAttribute("aria-level");
    return [
      roleOf(element) === "heading" && level && "level=" + level,
      ((/^(?:checkbox|radio)$/.test(element.type) && element.checked) || is("checked")) && "checked",
      (element.matches(":disabled") || is("disabled")) && "disabled",
      (is("expanded") || (element.tagName === "SUMMARY" && element.parentElement?.open)) && "expanded",
      ((element.tagName === "OPTION" && element.selected) || is("selected")) && "selected",
      (element.required || is("required")) && "required",
    ].filter(Boolean);
  };
`;
