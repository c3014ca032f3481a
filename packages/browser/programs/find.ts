import type { FindStep, TextMatch } from "../../server/src/interact/page-api/find-step.ts";
import { clean, isElement, isShown, nameOf, roleOf, textOf } from "./aria.ts";

type Taking = Exclude<FindStep, { readonly by: "nth" } | { readonly by: "filter" }>;

/** The elements that the steps lead to, in document order, including those of open shadow roots. */
export function find(steps: readonly FindStep[]): readonly Element[] {
  let found: readonly ParentNode[] = [document];
  for (const step of steps) {
    if (step.by === "nth") found = [found.at(step.index)].filter((one) => one !== undefined);
    else if (step.by === "filter") found = found.filter((one) => isMatch(textOf(one), step.hasText));
    else found = [...new Set(found.flatMap((root) => take(root, step)))];
  }
  return found as readonly Element[];
}

export function findTexts(steps: readonly FindStep[]): readonly (string | null)[] {
  return find(steps).map((element) => (element as HTMLElement).innerText ?? element.textContent);
}

export function findCount(steps: readonly FindStep[]): number {
  return find(steps).length;
}

export function findFirst(steps: readonly FindStep[]): Element | undefined {
  return find(steps)[0];
}

function take(root: ParentNode, step: Taking): readonly Element[] {
  if (step.by === "selector") return bySelector(root, step.selector);
  if (step.by === "role") return everything(root).filter((one) => hasRole(one, step));
  if (step.by === "attribute")
    return all(root, `[${step.name}]`).filter((one) => isMatch(one.getAttribute(step.name), step.text));
  if (step.by === "text") return byText(root, step.text);
  return everything(root).filter((one) => hasLabel(one, step.text));
}

function isMatch(found: string | null, { text, isExact, flags }: TextMatch): boolean {
  const own = clean(found);
  if (flags !== undefined) return new RegExp(text, flags).test(own);
  return isExact ? own === clean(text) : own.toLowerCase().includes(clean(text).toLowerCase());
}

function all(root: ParentNode, selector: string): readonly Element[] {
  const found = [...root.querySelectorAll(selector)];
  for (const element of root.querySelectorAll("*"))
    if (element.shadowRoot) found.push(...all(element.shadowRoot, selector));
  if (root instanceof Element && root.shadowRoot) found.push(...all(root.shadowRoot, selector));
  return found;
}

function everything(root: ParentNode): readonly Element[] {
  const isInBody = (one: Element) =>
    !/^(?:SCRIPT|STYLE|HEAD|TITLE|TEMPLATE)$/.test(one.tagName) && !one.closest("head");
  return all(root, "*").filter(isInBody);
}

/** The innermost elements with that text. */
function byText(root: ParentNode, text: TextMatch): readonly Element[] {
  const isInnermost = (one: Element) => ![...one.children].some((child) => isMatch(textOf(child), text));
  return everything(root).filter((one) => isMatch(shownText(one), text) && isInnermost(one));
}

function shownText(element: Element): string {
  const { value, type } = element as HTMLInputElement;
  const isButton = element.tagName === "INPUT" && /^(?:button|submit)$/.test(type);
  return isButton && value ? value : textOf(element);
}

function byXPath(root: ParentNode, path: string): readonly Element[] {
  const found = document.evaluate(path, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  const nodes = Array.from({ length: found.snapshotLength }, (_, index) => found.snapshotItem(index));
  return nodes.filter((node) => node !== null).filter(isElement);
}

function bySelector(root: ParentNode, selector: string): readonly Element[] {
  if (selector.startsWith("text=")) {
    const quoted = /^text=(["'])(.*)\1$/.exec(selector)?.[2];
    return byText(root, quoted === undefined ? { text: selector.slice(5) } : { text: quoted, isExact: true });
  }
  if (selector.startsWith("xpath=")) return byXPath(root, selector.slice(6));
  return /^(?:\/\/|\.\.|\()/.test(selector)
    ? byXPath(root, selector)
    : all(root, selector.replace(/^css=/, ""));
}

function hasRole(element: Element, { role, name }: Extract<FindStep, { readonly by: "role" }>): boolean {
  return roleOf(element) === role && isShown(element) && (!name || isMatch(nameOf(element), name));
}

function hasLabel(element: Element, text: TextMatch): boolean {
  const { labels } = element as HTMLInputElement;
  if (labels && [...labels].some((label) => isMatch(textOf(label), text))) return true;
  const isNamed = element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby");
  return isNamed && isMatch(nameOf(element), text);
}
