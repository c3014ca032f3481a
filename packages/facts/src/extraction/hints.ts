import { ownProperty } from "@pergamon-dev/kit/own-property";
import { isJsonObject } from "@pergamon-dev/kit/json";
import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import type { HtmlTree } from "@pergamon-dev/html/parser/tree";
import { findCss } from "@pergamon-dev/html/selection/select-css";
import type { HintedValue } from "./extracted.ts";
import { textOf } from "../structured/text-of.ts";
import type { Scope } from "./scope.ts";
import { MAX_LIST_ITEMS } from "./schema/read-schema.ts";
import type { Hint, ValueShape } from "./schema/value-shape.ts";

/** A compiled `x-pattern`. `size` is the number of its instructions: matching takes time with size × length. */
export interface TextSearch {
  readonly size: number;
  /** The first group, or the whole match of a pattern without groups. */
  search(text: string): string | undefined;
}

/** The page that the hints of a schema are about. */
export interface HintedPage {
  readonly tree: HtmlTree;
  readonly baseUrl: string;
  /** Undefined for a pattern that is not valid, or too large. */
  compile(pattern: string): TextSearch | undefined;
  /** False for a text that may not be shown, because it was redacted. */
  isShown(text: string): boolean;
}

const MAX_LENGTH = 20_000;
const MAX_NAMED = 10;
/** Nodes and characters that all hints of a schema may read, and instructions × characters in steps of four. */
const MAX_WORK = 20_000_000;
const INSTRUCTIONS_PER_STEP = 4;
const STEPS_OF_LOOK = 100;
const ADDRESSES: ReadonlySet<string> = new Set(["href", "src", "action", "poster", "cite", "data-src"]);

/** Reads the places that the hints of a schema name. */
export class Hints {
  readonly #page: HintedPage;
  readonly #scopeOf: (element: number) => Scope;
  readonly #selected = new Map<string, readonly number[]>();
  readonly #searches = new Map<string, TextSearch | undefined>();
  readonly #problems = new Map<string, Set<string>>();
  #left = MAX_WORK;

  /** @param scopeOf what rules find inside an element of a list, for properties without a hint. */
  constructor(page: HintedPage, scopeOf: (element: number) => Scope) {
    this.#page = page;
    this.#scopeOf = scopeOf;
  }

  /** Whether no work is left, so that nothing more is found. */
  get isSpent(): boolean {
    return this.#left < 0;
  }

  get warnings(): readonly string[] {
    return [...this.#problems].map(([sentence, named]) => {
      const shown = [...named].slice(0, MAX_NAMED).map((one) => JSON.stringify(one.slice(0, 200)));
      return shown.length > 0 ? `${sentence}: ${shown.join(", ")}.` : `${sentence}.`;
    });
  }

  scopeOf(element: number): Scope {
    return this.#scopeOf(element);
  }

  /** The elements below an element that a hint names, in document order; without a selector the element itself. */
  nodes({ selector }: Hint, element: number | undefined): readonly number[] {
    if (element === undefined) return [];
    if (selector === undefined) return [element];
    const all = this.#selected.get(selector) ?? this.#select(selector);
    const [from, to] = [countTo(all, element), countTo(all, (this.#page.tree.end[element] ?? 0) - 1)];
    return this.#isWithin(to - from + STEPS_OF_LOOK) ? all.slice(from, to) : [];
  }

  /** The elements of a list, as many as it may have. */
  firstOf(nodes: readonly number[], most: number): readonly number[] {
    if (nodes.length > most && most === MAX_LIST_ITEMS)
      this.#problem(`Lists of the schema have at most ${most} values, and more match their selectors`);
    return nodes.slice(0, most);
  }

  /** What the hint reads at an element. Undefined when nothing is there. */
  text({ attribute, pattern }: Hint, element: number): string | undefined {
    const { tree, baseUrl } = this.#page;
    if (!this.#isWithin((tree.end[element] ?? 0) - element)) return undefined;
    const said =
      attribute === undefined
        ? textOf(tree, element, MAX_LENGTH)
        : (tree.attribute(element, attribute) ?? tree.attribute(element, `data-${attribute}`));
    if (said === undefined || said === "") return undefined;
    if (!this.#isWithin(said.length)) return undefined;
    if (!this.#page.isShown(said)) return this.#problem("Values that redactPII may take out were left out");
    if (pattern !== undefined) return this.#search(pattern, said.slice(0, MAX_LENGTH));
    return attribute !== undefined && ADDRESSES.has(attribute) ? (resolveUrl(said, baseUrl) ?? said) : said;
  }

  #search(pattern: string, text: string): string | undefined {
    const known = this.#searches.has(pattern) ? this.#searches.get(pattern) : this.#page.compile(pattern);
    this.#searches.set(pattern, known);
    if (!known) return this.#problem("These patterns of the schema are not valid, or too large", pattern);
    const steps = Math.ceil((known.size * text.length) / INSTRUCTIONS_PER_STEP);
    return this.#isWithin(steps) ? known.search(text) : undefined;
  }

  #isWithin(steps: number): boolean {
    this.#left -= steps;
    if (this.#left < 0) this.#problem("The hints of the schema are too much work for this page");
    return this.#left >= 0;
  }

  #select(selector: string): readonly number[] {
    const found = findCss(this.#page.tree, selector);
    if (!found) this.#problem("These selectors of the schema are not valid, or too much work", selector);
    if (found?.length === 0)
      this.#problem("Nothing on the page matches these selectors of the schema", selector);
    this.#selected.set(selector, found ?? []);
    return found ?? [];
  }

  #problem(sentence: string, named?: string): undefined {
    const known = this.#problems.get(sentence) ?? new Set();
    this.#problems.set(sentence, named === undefined ? known : known.add(named));
  }
}

/** How many of the ascending nodes are at most `node`. */
function countTo(nodes: readonly number[], node: number): number {
  let [low, high] = [0, nodes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle] ?? 0) <= node) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The hint of a value; that of a list may stand at its items. */
export function hintOf(wanted: ValueShape): Hint | undefined {
  return wanted.hint ?? (wanted.kind === "list" ? wanted.items.hint : undefined);
}

/** Whether hints name the place of every value, of some or of none. */
export function hintedPart(wanted: ValueShape): "every" | "some" | "none" {
  if (wanted.kind !== "object" && hintOf(wanted)) return "every";
  if (wanted.kind === "list") return hintedPart(wanted.items);
  if (wanted.kind === "scalar") return "none";
  const parts = new Set(wanted.properties.map((property) => hintedPart(property.wanted)));
  const [only = "none"] = parts;
  return parts.size > 1 ? "some" : only;
}

/** A value in which hints decide about the places that they name, whatever a model said. */
export function withHinted(wanted: ValueShape, said: unknown, hinted: HintedValue | undefined): unknown {
  return hinted ? decided(wanted, said, hinted.value) : said;
}

function decided(wanted: ValueShape, said: unknown, hinted: unknown): unknown {
  if (wanted.kind !== "object") return hintOf(wanted) ? hinted : said;
  if (hintedPart(wanted) === "none") return said;
  const member = (value: unknown, name: string) =>
    isJsonObject(value) ? ownProperty(value, name) : undefined;
  const entries = wanted.properties.flatMap(({ name, wanted: inner }) => {
    const value = decided(inner, member(said, name), member(hinted, name));
    return value === undefined ? [] : [[name, value] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
