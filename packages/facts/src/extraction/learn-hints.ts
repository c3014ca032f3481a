import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import { cssPath } from "@pergamon-dev/html/selection/css-path";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import { selectCss } from "@pergamon-dev/html/selection/select-css";
import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { textOf } from "../structured/text-of.ts";
import { spellingOf } from "./merge.ts";
import { readNumber } from "./read-number.ts";

/** A page, and the values that somebody found on it. */
export interface ExamplePage {
  readonly tree: HtmlTree;
  readonly url: string;
  readonly values: JsonObject;
}

interface Learned {
  /** With hints for the properties that could be learned. */
  readonly schema: JsonObject;
  /** Properties for which no selector gives the values of all pages. */
  readonly unlearned: readonly string[];
}

/** Attributes that may hold a value, in order of preference; undefined is the text. */
const SOURCES = [undefined, "content", "datetime", "href", "src", "value", "title", "alt"] as const;
const MAX_ELEMENTS = 12;
const MAX_SELECTORS = 30;
const MAX_LENGTH = 2000;
/** A longer text is about more than a number. */
const MAX_NUMBER = 40;
/** Names with digits are often of this page alone. */
const LASTING = /^-?[a-zA-Z_][a-zA-Z_-]{1,40}$/;

/** The shortest lasting selectors that give the values of all pages: single ones, or a list of them. */
export function learnHints(pages: readonly ExamplePage[]): Learned {
  const names = [...new Set(pages.flatMap(({ values }) => Object.keys(values)))];
  const learned = names.map((name) => [name, learnProperty(name, pages)] as const);
  const properties = learned.flatMap(([name, property]) => (property ? [[name, property] as const] : []));
  return {
    schema: { type: "object", properties: Object.fromEntries(properties) },
    unlearned: learned.flatMap(([name, property]) => (property ? [] : [name])),
  };
}

function learnProperty(name: string, pages: readonly ExamplePage[]): JsonObject | undefined {
  const told = pages.flatMap((page) => {
    const value = ownProperty(page.values, name);
    return value === undefined || value === null ? [] : [{ page, value }];
  });
  const [first] = told;
  if (!first) return undefined;
  const isList = Array.isArray(first.value);
  const [single] = [first.value].flat();
  for (const source of SOURCES) {
    for (const selector of selectorsFor(single, first.page, source)) {
      const gives = ({ page, value }: (typeof told)[number]) =>
        isSame(selectCss(page.tree, selector), { page, source, value });
      if (!told.every(gives)) continue;
      const attribute = source === undefined ? {} : { "x-attribute": source };
      return isList
        ? { type: "array", items: typeOf(single), "x-selector-all": selector, ...attribute }
        : { ...typeOf(single), "x-selector": selector, ...attribute };
    }
  }
  return undefined;
}

interface Wanted {
  readonly page: ExamplePage;
  readonly source: string | undefined;
  readonly value: unknown;
}

/** Whether the elements, or the first of them, have the value. */
function isSame(elements: readonly number[], { page, source, value }: Wanted): boolean {
  if (!Array.isArray(value)) return elements[0] !== undefined && says(page, elements[0], { source, value });
  return (
    elements.length === value.length &&
    value.every((item: unknown, at) => says(page, elements[at] ?? 0, { source, value: item }))
  );
}

function says({ tree, url }: ExamplePage, element: number, { source, value }: Omit<Wanted, "page">): boolean {
  const text = source === undefined ? textOf(tree, element, MAX_LENGTH) : tree.attribute(element, source);
  if (text === undefined || text === "") return false;
  if (typeof value === "number") return text.length <= MAX_NUMBER && readNumber(text) === value;
  const said = source === "href" || source === "src" ? (resolveUrl(text, url) ?? text) : text;
  return spellingOf(said) === spellingOf(String(value));
}

function selectorsFor(value: unknown, page: ExamplePage, source: string | undefined): readonly string[] {
  const { tree } = page;
  const saying: number[] = [];
  for (let node = 1; node < tree.size; node++)
    if (tree.tag[node] !== TEXT && says(page, node, { source, value })) saying.push(node);
  const isInnermost = (node: number, at: number) => (saying[at + 1] ?? tree.size) >= (tree.end[node] ?? 0);
  const elements = saying.filter(isInnermost).slice(0, MAX_ELEMENTS);
  const lasting = elements.flatMap((element) => lastingSelectors(tree, element)).slice(0, MAX_SELECTORS);
  const placed = elements.map((element) => cssPath(tree, element));
  return [...new Set([...lasting, ...placed])];
}

/** By what the element is called, alone and inside of what an element around it is called; then by its position there. */
function lastingSelectors(tree: HtmlTree, element: number): readonly string[] {
  const own = [...namesOf(tree, element), tree.nameOf(element)];
  const around: string[] = [];
  let step = tree.parent[element] ?? 0;
  for (let level = 0; level < 4 && step > 0; level++, step = tree.parent[step] ?? 0) {
    const [name] = namesOf(tree, step);
    if (name !== undefined) around.push(name);
  }
  const last = cssPath(tree, element).split(" > ").at(-1) ?? "";
  return [
    ...own,
    ...around.flatMap((outer) => [...own, last].map((inner) => `${outer} ${inner}`)),
    ...own.map((name) => `${name}:first-of-type`),
  ];
}

function namesOf(tree: HtmlTree, element: number): readonly string[] {
  const id = tree.attribute(element, "id") ?? "";
  const named = ["itemprop", "property", "name", "data-testid", "data-test", "data-qa"].flatMap(
    (attribute) => {
      const value = tree.attribute(element, attribute) ?? "";
      return /^[\w:.-]{2,60}$/.test(value) ? [`${tree.nameOf(element)}[${attribute}="${value}"]`] : [];
    },
  );
  const classes = (tree.attribute(element, "class") ?? "").split(/\s+/).filter((name) => LASTING.test(name));
  return [
    ...(LASTING.test(id) ? [`#${id}`] : []),
    ...named,
    ...classes.slice(0, 4).map((name) => `${tree.nameOf(element)}.${name}`),
  ];
}

function typeOf(value: unknown): JsonObject {
  return { type: typeof value === "number" ? "number" : "string" };
}

/** Whether what hints found on another page is what it has, by the paths of properties that differ. */
export function differences(expected: JsonObject, found: unknown): readonly string[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const own = isJsonObject(found) ? ownProperty(found, name) : undefined;
    return JSON.stringify([own].flat().map(spellingOf)) === JSON.stringify([value].flat().map(spellingOf))
      ? []
      : [name];
  });
}
