import { AttributeNames } from "../parser/attribute-names.ts";
import { classesOf } from "../parser/classes.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, tagId, TEXT } from "../parser/tree.ts";
import { staysThoughHidden } from "./hidden.ts";

const STYLE = tagId("style");
const NOSCRIPT = tagId("noscript");

/** Characters of style sheets that are read of a page. */
const MAX_CHARS = 100_000;
/** Rules that say how an element is displayed. */
const MAX_RULES = 2000;
/** Compounds of one selector, and selectors with one key. */
const MAX_COMPOUNDS = 5;
const MAX_ALIKE = 20;

/** An element's name, ids and classes. */
interface Compound {
  readonly parts: readonly string[];
  /** Whether it is the parent of the next compound, not any ancestor. */
  readonly isParent: boolean;
}

interface Rule {
  readonly hides: boolean;
  /** Innermost last. */
  readonly compounds: readonly Compound[];
  /** Whether it applies always: no state, no condition, no part that is not read. */
  readonly isPlain: boolean;
  readonly isLinked: boolean;
  readonly order: number;
}

/** Where rules stand: in a block with a condition, in a linked sheet. */
type Source = { readonly isConditional: boolean } & Pick<Rule, "isLinked">;

const found = new WeakMap<HtmlTree, Uint8Array | undefined>();

/**
 * By node: 1 where the page's own style sheets (`<style>`, and linked ones that a browser has fetched) hide an element
 * for good, by selectors of names, ids and classes. What another rule shows in some state or width, what a control opens,
 * and what holds most of the page, is not hidden.
 * Undefined when nothing is.
 */
export function hiddenByStyle(tree: HtmlTree): Uint8Array | undefined {
  if (!found.has(tree)) found.set(tree, findHidden(tree));
  return found.get(tree);
}

function findHidden(tree: HtmlTree): Uint8Array | undefined {
  const linked = tree.linkedRules;
  const own = tree.tag.includes(STYLE) ? sheetsOf(tree) : "";
  if (!HIDES.test(own) && !HIDES.test(linked)) return undefined;
  const rules: Rule[] = [];
  if (linked !== "") readRules(linked.slice(0, MAX_CHARS), { isConditional: false, isLinked: true }, rules);
  if (own !== "") readRules(withoutComments(own), { isConditional: false, isLinked: false }, rules);
  const hiding = rules.filter((rule) => rule.hides && rule.isPlain && !isShownInSomeState(rule, rules));
  const byKey = new Map<string, Rule[]>();
  for (const rule of hiding) {
    const key = keyOf(rule);
    if (key === "") continue;
    const alike = byKey.get(key) ?? [];
    if (alike.length < MAX_ALIKE) alike.push(rule);
    byKey.set(key, alike);
  }
  return byKey.size === 0 ? undefined : markHidden(tree, byKey, rules);
}

function withoutComments(sheet: string): string {
  return sheet.includes("/*") ? sheet.replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, " ") : sheet;
}

function sheetsOf(tree: HtmlTree): string {
  let sheet = "";
  for (let node = tree.tag.indexOf(STYLE); node > 0 && sheet.length < MAX_CHARS;) {
    const isRead = tree.tag[tree.parent[node] ?? 0] !== NOSCRIPT;
    if (isRead && SCREEN.test(tree.attribute(node, "media") ?? "")) sheet += `${tree.textContent(node)}\n`;
    node = tree.tag.indexOf(STYLE, node + 1);
  }
  return sheet.slice(0, MAX_CHARS);
}

const SCREEN = /^\s*(?:all|screen|)\s*$/i;
const HIDES = /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)/i;
/** Where the properties that matter may be. */
const SAYS = /isplay|isibility|ISPLAY|ISIBILITY/g;
const SHOWS = /(?:^|[;\s{])(?:display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible)/i;

/** Reads rules and, as conditional ones, those in blocks of at-rules. Blocks for print, fonts and frames are skipped. */
function readRules(sheet: string, from: Source, rules: Rule[]): void {
  let next = -1;
  for (let at = 0; rules.length < MAX_RULES;) {
    const open = sheet.indexOf("{", at);
    if (next < open) {
      SAYS.lastIndex = open;
      next = SAYS.test(sheet) ? SAYS.lastIndex - 1 : -1;
    }
    // What follows says nothing of what is seen.
    if (open < 0 || next < 0) return;
    const before = sheet.slice(at, open);
    const head = before.slice(before.lastIndexOf(";") + 1).trim();
    const isBlock = head.startsWith("@");
    const close = isBlock ? endOfBlock(sheet, open) : sheet.indexOf("}", open);
    const end = close < 0 ? sheet.length : close;
    if (next < end) {
      const body = sheet.slice(open + 1, end);
      if (!isBlock) addRules(head, body, from, rules);
      else if (!from.isConditional && /^@(?:media(?!\s+print)|layer|supports)\b/i.test(head))
        readRules(
          body,
          { ...from, isConditional: !/^@(?:layer|media\s+(?:screen|all)\s*$)/i.test(head) },
          rules,
        );
    }
    at = end + 1;
  }
}

function endOfBlock(sheet: string, open: number): number {
  let depth = 0;
  for (let at = open; at < sheet.length; at++) {
    const code = sheet.charCodeAt(at);
    if (code === 123) depth++;
    else if (code === 125 && --depth === 0) return at;
  }
  return -1;
}

function addRules(head: string, body: string, { isConditional, isLinked }: Source, rules: Rule[]): void {
  const hides = HIDES.test(body);
  if (!hides && !SHOWS.test(body)) return;
  for (const selector of head.split(",")) {
    const compounds = compoundsOf(selector);
    if (compounds.length === 0 || rules.length >= MAX_RULES) continue;
    const isPlain = !isConditional && PLAIN.test(selector);
    rules.push({ hides, compounds, isPlain, isLinked, order: rules.length });
  }
}

/** Selectors of names, ids, classes, descendants and children. */
const PLAIN = /^[\w\-.#\s>]+$/;
const PART = /[.#]?(?:[a-z_]|\\.)(?:[\w-]|\\.)*/gi;

/** What a selector says of elements, innermost last; states and attributes are left out. */
function compoundsOf(selector: string): readonly Compound[] {
  const words = selector
    .trim()
    .slice(0, 300)
    .replace(/(?<!\\)(?:::?[\w-]+(?:\([^)]*\))?|\[[^\]]*\])/g, "")
    .replace(/\s*([>+~])\s*/g, " $1 ");
  const compounds: Compound[] = [];
  for (const word of words.split(/\s+/)) {
    const last = compounds.at(-1);
    if (word === ">" && last) compounds.splice(-1, 1, { ...last, isParent: true });
    const parts = word.match(PART)?.map((part) => part.replaceAll("\\", "")) ?? [];
    if (parts.length > 0) compounds.push({ parts, isParent: false });
  }
  return compounds.length > MAX_COMPOUNDS ? [] : compounds;
}

/** The id or class by which elements are looked up; "" for selectors of names alone. */
function keyOf({ compounds }: Rule): string {
  const parts = compounds.at(-1)?.parts ?? [];
  return parts.find((part) => part.startsWith("#")) ?? parts.find((part) => part.startsWith(".")) ?? "";
}

/** Whether another rule shows the same elements in a state of theirs or of what is around them. */
function isShownInSomeState(rule: Rule, rules: readonly Rule[]): boolean {
  const parts = rule.compounds.at(-1)?.parts ?? [];
  return rules.some((other) => {
    if (other.hides) return false;
    const shown = other.compounds.at(-1)?.parts ?? [];
    const isSame =
      other.isPlain && shown.length === parts.length && other.compounds.length <= rule.compounds.length;
    return parts.every((part) => shown.includes(part)) && !(isSame && isBefore(other, rule));
  });
}

/** Whether a rule loses against one of the same sheets. Which of linked and own ones come first is not known. */
function isBefore(one: Rule, other: Rule): boolean {
  return one.isLinked === other.isLinked && one.order < other.order;
}

function markHidden(
  tree: HtmlTree,
  byKey: ReadonlyMap<string, readonly Rule[]>,
  rules: readonly Rule[],
): Uint8Array | undefined {
  const hidden = new Uint8Array(tree.size);
  const shows = rules.filter((rule) => !rule.hides && !isBare(rule));
  const { of, names } = classesOf(tree);
  const ofClass = names.map((name) => name.split(/\s+/).flatMap((one) => byKey.get(`.${one}`) ?? []));
  const namesIds = [...byKey.keys()].some((key) => key.startsWith("#"));
  let isAny = false;
  for (let node = 1; node < tree.size; node++) {
    const id = namesIds && tree.tag[node] !== TEXT ? tree.attribute(node, "id") : undefined;
    const ofId = id === undefined ? undefined : byKey.get(`#${id}`);
    const candidates = ofClass[of[node] ?? 0] ?? [];
    if (candidates.length === 0 && ofId === undefined) continue;
    const rule = [...(ofId ?? []), ...candidates].find((one) => matches(tree, node, one));
    if (
      !rule ||
      staysThoughHidden(tree, node) ||
      followsControl(tree, node) ||
      OWN_STYLE.test(tree.attribute(node, "style") ?? "")
    )
      continue;
    if (shows.some((one) => !isBefore(one, rule) && matches(tree, node, one))) continue;
    hidden[node] = 1;
    isAny = true;
    node = (tree.end[node] ?? tree.size) - 1;
  }
  return isAny && isSmallPart(tree, hidden) ? hidden : undefined;
}

/** Hidden parts with a larger share of the text are what scripts show later. */
const MAX_SHARE = 0.25;

function isSmallPart(tree: HtmlTree, hidden: Uint8Array): boolean {
  const seen = { chars: 0 };
  const unseen = { chars: 0 };
  let end = 0;
  for (let node = 1; node < tree.size; node++) {
    if (hidden[node] === 1) end = tree.end[node] ?? 0;
    if (UNREAD[tree.tag[node] ?? 0] === 1) node = (tree.end[node] ?? tree.size) - 1;
    else if (!tree.isBlank(node)) tree.visitText(node, count, node < end ? unseen : seen);
  }
  return unseen.chars <= MAX_SHARE * (seen.chars + unseen.chars);
}

function count(_source: string, from: number, to: number, target: { chars: number }): void {
  target.chars += to - from;
}

/** Whether the element before it is, or holds, what opens it: a button, a question. */
function followsControl(tree: HtmlTree, node: number): boolean {
  const parent = tree.parent[node] ?? 0;
  let before = node - 1;
  while (before > parent && tree.tag[before] === TEXT && tree.isBlank(before)) before--;
  while (before > parent && tree.parent[before] !== parent) before = tree.parent[before] ?? parent;
  if (before <= parent) return false;
  for (let inner = before; inner < node; inner++) {
    if (CONTROL[tree.tag[inner] ?? 0] === 1) return true;
    if (tree.tag[inner] === TEXT || !tree.mayHave(inner, OPENS)) continue;
    const isButton =
      tree.attribute(inner, "role") === "button" || tree.attribute(inner, "onclick") !== undefined;
    if (isButton || tree.attribute(inner, "aria-expanded") !== undefined) return true;
  }
  return false;
}

const CONTROL = tagSet("button summary label input dt");
const OPENS = new AttributeNames("role onclick aria-expanded");
const UNREAD = tagSet("script style noscript template svg head");

/** What is shown by its own style, is shown. */
const OWN_STYLE = /display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible/i;

/** Whether a rule names nothing but kinds of elements, as the resets do that begin most sheets. */
function isBare({ compounds }: Rule): boolean {
  return compounds.every(({ parts }) => parts.every((part) => /^[a-z]/i.test(part)));
}

function matches(tree: HtmlTree, element: number, { compounds }: Rule): boolean {
  let node = element;
  for (let at = compounds.length - 1; at >= 0; at--) {
    const { parts, isParent } = compounds[at] ?? { parts: [], isParent: true };
    const isInner = at === compounds.length - 1;
    while (node > 0 && !fits(tree, node, parts)) {
      if (isInner || isParent) return false;
      node = tree.parent[node] ?? 0;
    }
    if (node <= 0) return false;
    node = tree.parent[node] ?? 0;
  }
  return true;
}

function fits(tree: HtmlTree, node: number, parts: readonly string[]): boolean {
  for (const part of parts) {
    const name = part.slice(1);
    if (part.startsWith("#")) {
      if (tree.attribute(node, "id") !== name) return false;
    } else if (part.startsWith(".")) {
      const classes = tree.attribute(node, "class") ?? "";
      if (!classes.includes(name) || !classes.split(/\s+/).includes(name)) return false;
    } else if (tree.nameOf(node) !== part.toLowerCase()) return false;
  }
  return true;
}
