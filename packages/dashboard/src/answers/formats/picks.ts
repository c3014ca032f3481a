/** A text of a page that can become a value of a schema. */
export interface Pickable {
  readonly text: string;
  readonly selector: string;
  /** Of its value in the answer. */
  readonly name: string;
}

const MAX_TEXTS = 1500;
const MAX_CHARACTERS = 200;
const UNREAD = "script, style, noscript, template, head, svg, select, textarea";
const NUMBER = /^[-+]?\d+(?:[.,]\d+)*$/;

/** The texts of a page in order, one for each element that has text of its own. Nothing of the page runs or is fetched. */
export function pickable(html: string): readonly Pickable[] {
  const page = new DOMParser().parseFromString(html, "text/html");
  const found: Pickable[] = [];
  for (const element of page.body.querySelectorAll("*")) {
    if (found.length === MAX_TEXTS) break;
    const hasOwn = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
    );
    if (!hasOwn || element.closest(UNREAD)) continue;
    const text = (element.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_CHARACTERS);
    found.push({ text, selector: selectorOf(element, page), name: nameOf(element) });
  }
  return found;
}

/** JSON Schema with a selector for each value. Equal names are numbered. */
export function schemaOfPicks(picks: readonly Pickable[]): object {
  const properties = new Map<string, object>();
  for (const { name, selector, text } of picks) {
    const wanted = name.trim() || "value";
    let free = wanted;
    for (let number = 2; properties.has(free); number += 1) free = `${wanted}${number}`;
    properties.set(free, { type: NUMBER.test(text) ? "number" : "string", "x-selector": selector });
  }
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** The shortest of an id, a class, and the path from the nearest element with one of both that names this element alone. */
function selectorOf(element: Element, page: Document): string {
  const path: string[] = [];
  for (let at: Element | null = element; at && at !== page.body; at = at.parentElement) {
    const own = [
      ...(at.id ? [`#${CSS.escape(at.id)}`] : []),
      ...[...at.classList].map((name) => `.${CSS.escape(name)}`),
    ];
    const sure = own
      .map((name) => [name, ...path].join(" > "))
      .find((selector) => isOf(element, selector, page));
    if (sure !== undefined) return sure;
    path.unshift(stepOf(at));
  }
  return ["body", ...path].join(" > ");
}

function isOf(element: Element, selector: string, page: Document): boolean {
  const [first, ...others] = page.querySelectorAll(selector);
  return first === element && others.length === 0;
}

function stepOf(element: Element): string {
  const name = element.localName;
  const alike = [...(element.parentElement?.children ?? [])].filter(({ localName }) => localName === name);
  return alike.length > 1 ? `${name}:nth-of-type(${alike.indexOf(element) + 1})` : name;
}

/** From its item property, its class, or what it is. */
function nameOf(element: Element): string {
  const said =
    element.getAttribute("itemprop") ??
    element.classList[0] ??
    (/^h\d$/.test(element.localName) ? "title" : "value");
  return (
    said.replace(/[^\p{L}\p{N}]+(\p{L})?/gu, (_, next: string | undefined) => next?.toUpperCase() ?? "") ||
    "value"
  );
}
