import { ARIA_FUNCTIONS } from "./aria-script.ts";

/** One step of looking for elements: within what was found before. */
export type FindStep =
  /** A CSS selector, `text=…`, `xpath=…` or `//…`. */
  | { readonly by: "selector"; readonly selector: string }
  | { readonly by: "role"; readonly role: string; readonly name?: TextMatch }
  | { readonly by: "text" | "label"; readonly text: TextMatch }
  | { readonly by: "attribute"; readonly name: string; readonly text: TextMatch }
  | { readonly by: "nth"; readonly index: number }
  | { readonly by: "filter"; readonly hasText: TextMatch };

/** Text that is contained, in whatever case; `exact` text; or a pattern. */
export interface TextMatch {
  readonly text: string;
  readonly isExact?: boolean;
  /** Flags of the pattern that `text` is then. */
  readonly flags?: string;
}

/** A function for pages: the elements that the steps lead to, in document order, those of open shadow roots included. */
export const FIND_SCRIPT = `(steps) => {
  ${ARIA_FUNCTIONS}
  const matches = (found, { text, isExact, flags }) => {
    const own = clean(found);
    if (flags !== undefined) return new RegExp(text, flags).test(own);
    return isExact ? own === clean(text) : own.toLowerCase().includes(clean(text).toLowerCase());
  };
  const all = (root, selector) => {
    const found = [...root.querySelectorAll(selector)];
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) found.push(...all(element.shadowRoot, selector));
    if (root.shadowRoot) found.push(...all(root.shadowRoot, selector));
    return found;
  };
  const everything = (root) => all(root, "*").filter((one) => !/^(?:SCRIPT|STYLE|HEAD|TITLE|TEMPLATE)$/.test(one.tagName) && !one.closest("head"));
  const byText = (root, text) => everything(root).filter((one) => matches(one.value && one.tagName === "INPUT" && /^(?:button|submit)$/.test(one.type) ? one.value : textOf(one), text)
    && ![...one.children].some((child) => matches(textOf(child), text)));
  const byXPath = (root, path) => {
    const found = document.evaluate(path, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    return Array.from({ length: found.snapshotLength }, (_, index) => found.snapshotItem(index)).filter((one) => one.nodeType === 1);
  };
  const bySelector = (root, selector) => {
    if (selector.startsWith("text=")) {
      const quoted = /^text=(["'])(.*)\\1$/.exec(selector);
      return byText(root, quoted ? { text: quoted[2], isExact: true } : { text: selector.slice(5) });
    }
    if (selector.startsWith("xpath=")) return byXPath(root, selector.slice(6));
    return /^(?:\\/\\/|\\.\\.|\\()/.test(selector) ? byXPath(root, selector) : all(root, selector.replace(/^css=/, ""));
  };
  const take = {
    selector: (root, { selector }) => bySelector(root, selector),
    role: (root, { role, name }) => everything(root).filter((one) => roleOf(one) === role && isShown(one) && (!name || matches(nameOf(one), name))),
    text: (root, { text }) => byText(root, text),
    label: (root, { text }) => everything(root).filter((one) =>
      (one.labels && [...one.labels].some((label) => matches(textOf(label), text))) ||
      ((one.hasAttribute("aria-label") || one.hasAttribute("aria-labelledby")) && matches(nameOf(one), text))),
    attribute: (root, { name, text }) => all(root, "[" + name + "]").filter((one) => matches(one.getAttribute(name), text)),
  };
  let found = [document];
  for (const step of steps) {
    if (step.by === "nth") found = [found.at(step.index)].filter(Boolean);
    else if (step.by === "filter") found = found.filter((one) => matches(textOf(one), step.hasText));
    else found = [...new Set(found.flatMap((root) => take[step.by](root, step)))];
  }
  return found;
}`;
