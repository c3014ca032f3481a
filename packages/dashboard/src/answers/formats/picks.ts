/** A text of a page that can become a value of a schema. */
interface Pickable {
  readonly text: string;
  readonly selector: string;
  /** Of its value in the answer. */
  readonly name: string;
  /** The list that the text is one value of. */
  readonly listOf: () => PickedList | undefined;
}

/** Elements that are alike, each with a value at the same place. */
interface PickedList {
  readonly items: string;
  /** Undefined: the items are the values. */
  readonly inner: string | undefined;
  readonly name: string;
  readonly count: number;
}

/** A text that was picked, alone or with all of its list. */
export type Pick = Pickable & { readonly list?: PickedList | undefined };

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
    const selector = selectorOf(element, page);
    found.push({ text, selector, name: nameOf(element), listOf: () => listOf(element, page) });
  }
  return found;
}

/** JSON Schema with selectors for values, and for lists. Values of the same items are members of one object. */
export function schemaOfPicks(picks: readonly Pick[]): object {
  const values = new Map<string, object>();
  const lists = new Map<string, { readonly name: string; readonly members: Map<string, object> }>();
  for (const { name, selector, text, list } of picks) {
    const type = NUMBER.test(text) ? "number" : "string";
    if (list?.inner === undefined) {
      const items = list && { type: "array", "x-selector-all": list.items, items: { type } };
      put(values, name, items ?? { type, "x-selector": selector });
    } else {
      const known = lists.get(list.items) ?? { name: list.name, members: new Map<string, object>() };
      lists.set(list.items, known);
      put(known.members, name, { type, "x-selector": list.inner });
    }
  }
  for (const [items, { name, members }] of lists)
    put(values, name, { type: "array", "x-selector-all": items, items: objectOf(members) });
  return objectOf(values);
}

/** Equal names are numbered. */
function put(properties: Map<string, object>, name: string, property: object): void {
  const wanted = name.trim() || "value";
  let free = wanted;
  for (let number = 2; properties.has(free); number += 1) free = `${wanted}${number}`;
  properties.set(free, property);
}

function objectOf(properties: ReadonlyMap<string, object>): object {
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** The nearest elements around the text, or itself, that have others of their kind beside them with a value at the same place. */
function listOf(element: Element, page: Document): PickedList | undefined {
  const path: string[] = [];
  for (let item = element; item.parentElement && item !== page.body; item = item.parentElement) {
    const [kind, alike] = kindOf(item);
    const inner = path.join(" > ");
    const having = inner === "" ? alike : alike.filter((one) => one.querySelector(`:scope > ${inner}`));
    // Cells beside each other are columns, and rows are the list.
    if (having.length > 1 && !/^t[dh]$/.test(item.localName)) {
      return {
        items: `${selectorOf(item.parentElement, page)} > ${kind}`,
        inner: inner === "" ? undefined : `${kind} > ${inner}`,
        name: `${nameOf(item, "item")}s`,
        count: having.length,
      };
    }
    path.unshift(alike.length > 1 ? stepOf(item) : kind);
  }
  return undefined;
}

/** What an element is, by its name and first class, and the elements beside it that are the same, with itself. */
function kindOf(element: Element): readonly [kind: string, alike: readonly Element[]] {
  const [first] = element.classList;
  const kind = element.localName + (first === undefined ? "" : `.${CSS.escape(first)}`);
  return [kind, [...(element.parentElement?.children ?? [])].filter((one) => one.matches(kind))];
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
function nameOf(element: Element, other = "value"): string {
  const said =
    element.getAttribute("itemprop") ??
    element.classList[0] ??
    (/^h\d$/.test(element.localName) ? "title" : other);
  return (
    said.replace(/[^\p{L}\p{N}]+(\p{L})?/gu, (_, next: string | undefined) => next?.toUpperCase() ?? "") ||
    other
  );
}
