import { AttributeNames } from "../parser/attribute-names.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, tagId, TEXT } from "../parser/tree.ts";
import { staysThoughHidden } from "./hidden.ts";

const STYLE = tagId("style");
const NOSCRIPT = tagId("noscript");

/** Characters of style sheets that are read of a page. */
const MAX_CHARS = 100_000;
/** Rules that say how an element is displayed. */
const MAX_RULES = 2000;
/** Characters of one selector that are read. */
const MAX_SELECTOR = 300;
/** Compounds of one selector, and selectors with one key. */
const MAX_COMPOUNDS = 5;
const MAX_ALIKE = 20;

/** An element's name, ids and classes. */
interface Compound {
  readonly parts: readonly string[];
  /** The parts without `.` and `#`. */
  readonly names: readonly string[];
  /** Whether it is the parent of the next compound, not any ancestor. */
  readonly isParent: boolean;
}

interface Rule {
  readonly hides: boolean;
  readonly selector: string;
  /** Whether it applies always: no state, no condition, no part that is not read. */
  readonly isPlain: boolean;
  readonly isLinked: boolean;
  readonly order: number;
  /** What `selector` says, once it was read. Most rules are never asked. */
  compounds?: readonly Compound[];
}

type RulesByPart = ReadonlyMap<string, readonly Rule[]>;

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
  const own = tree.tag.includes(STYLE) ? sheetsOf(tree) : [];
  const linked = tree.linkedRules.slice(0, MAX_CHARS);
  if (!HIDES.test(linked) && !own.some((sheet) => HIDES.test(sheet))) return undefined;
  const rules: Rule[] = [];
  readRules(linked, { isConditional: false, isLinked: true }, rules);
  for (const sheet of own)
    readRules(withoutComments(sheet), { isConditional: false, isLinked: false }, rules);
  const shows: Rule[] = [];
  let shown = "";
  for (const rule of rules) {
    if (rule.hides) continue;
    shows.push(rule);
    shown += `\n${rule.selector}`;
  }
  const hiding: Rule[] = [];
  for (const rule of rules)
    if (rule.hides && rule.isPlain && !isShownInSomeState(rule, shows, shown)) hiding.push(rule);
  const byKey = rulesByPart(hiding, keyOf, MAX_ALIKE);
  byKey.delete("");
  return byKey.size === 0 ? undefined : markHidden(tree, byKey, shows);
}

function rulesByPart(
  rules: readonly Rule[],
  part: (rule: Rule) => string,
  maxAlike = MAX_RULES,
): Map<string, Rule[]> {
  const grouped = new Map<string, Rule[]>();
  for (const rule of rules) {
    const key = part(rule);
    const alike = grouped.get(key) ?? [];
    if (alike.length < maxAlike) alike.push(rule);
    grouped.set(key, alike);
  }
  return grouped;
}

function withoutComments(sheet: string): string {
  return sheet.includes("/*") ? sheet.replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, " ") : sheet;
}

function sheetsOf(tree: HtmlTree): readonly string[] {
  const sheets: string[] = [];
  let room = MAX_CHARS;
  for (let node = tree.tag.indexOf(STYLE); node > 0 && room > 0; node = tree.tag.indexOf(STYLE, node + 1)) {
    const isRead = tree.tag[tree.parent[node] ?? 0] !== NOSCRIPT;
    if (!isRead || !SCREEN.test(tree.attribute(node, "media") ?? "")) continue;
    const sheet = tree.textContent(node).slice(0, room);
    sheets.push(sheet);
    room -= sheet.length;
  }
  return sheets;
}

const SCREEN = /^\s*(?:all|screen|)\s*$/i;
const HIDES = /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)/i;
/** Where the properties that matter may be. */
const SAYS = /isplay|isibility|ISPLAY|ISIBILITY/g;
const SHOWS = /(?:^|[;\s{])(?:display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible)/i;

const SPACE = 32;
const SEMICOLON = 59;
const AT = 64;

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
    while (at < open && sheet.charCodeAt(at) <= SPACE) at++;
    const first = sheet.charCodeAt(at);
    const isBlock = (first === AT || first === SEMICOLON) && headOf(sheet, at, open).startsWith("@");
    const close = isBlock ? endOfBlock(sheet, open) : sheet.indexOf("}", open);
    const end = close < 0 ? sheet.length : close;
    if (next < end) {
      const head = headOf(sheet, at, open);
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

/** What stands before a block, after the last statement. */
function headOf(sheet: string, from: number, open: number): string {
  const before = sheet.slice(from, open);
  return before.slice(before.lastIndexOf(";") + 1).trim();
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
    if (rules.length >= MAX_RULES) return;
    const isPlain = !isConditional && PLAIN.test(selector);
    rules.push({ hides, selector, isPlain, isLinked, order: rules.length });
  }
}

/** Selectors of names, ids, classes, descendants and children. */
const PLAIN = /^[\w\-.#\s>]+$/;
const PART = /[.#]?(?:[a-z_]|\\.)(?:[\w-]|\\.)*/gi;

/** What a rule's selector says of elements, innermost last; states and attributes are left out. Empty for one that is not read. */
function compoundsOf(rule: Rule): readonly Compound[] {
  if (rule.compounds) return rule.compounds;
  const words = rule.selector
    .trim()
    .slice(0, MAX_SELECTOR)
    .replace(/(?<!\\)(?:::?[\w-]+(?:\([^)]*\))?|\[[^\]]*\])/g, "")
    .replace(/\s*([>+~])\s*/g, " $1 ");
  const compounds: Compound[] = [];
  for (const word of words.split(/\s+/)) {
    const last = compounds.at(-1);
    if (word === ">" && last) compounds.splice(-1, 1, { ...last, isParent: true });
    const parts: string[] = [];
    const names: string[] = [];
    for (const written of word.match(PART) ?? []) {
      const part = written.replaceAll("\\", "");
      parts.push(part);
      names.push(/^[.#]/.test(part) ? part.slice(1) : part.toLowerCase());
    }
    if (parts.length > 0) compounds.push({ parts, names, isParent: false });
  }
  return (rule.compounds = compounds.length > MAX_COMPOUNDS ? [] : compounds);
}

function innermostOf(rule: Rule): readonly string[] {
  return compoundsOf(rule).at(-1)?.parts ?? [];
}

/** Classes are looked up by their names, ids as selectors write them. */
function keyOfPart(part: string): string {
  return part.startsWith(".") ? part.slice(1) : part;
}

/** The id or class by which elements are looked up; "" for selectors of names alone. */
function keyOf(rule: Rule): string {
  const parts = innermostOf(rule);
  return keyOfPart(
    parts.find((part) => part.startsWith("#")) ?? parts.find((part) => part.startsWith(".")) ?? "",
  );
}

/**
 * Whether another rule shows the same elements in a state of theirs or of what is around them.
 * @param shown the selectors of `shows`
 */
function isShownInSomeState(rule: Rule, shows: readonly Rule[], shown: string): boolean {
  const parts = innermostOf(rule);
  // A plain selector is written without escapes, but others may write the same name with them.
  if (!shown.includes("\\")) for (const part of parts) if (!shown.includes(part)) return false;
  for (const other of shows) {
    const others = innermostOf(other);
    if (!includesAll(others, parts)) continue;
    const isSame =
      other.isPlain &&
      others.length === parts.length &&
      compoundsOf(other).length <= compoundsOf(rule).length;
    if (!isSame || !isBefore(other, rule)) return true;
  }
  return false;
}

function includesAll(parts: readonly string[], wanted: readonly string[]): boolean {
  for (const part of wanted) if (!parts.includes(part)) return false;
  return true;
}

/** Whether a rule loses against one of the same sheets. Which of linked and own ones come first is not known. */
function isBefore(one: Rule, other: Rule): boolean {
  return one.isLinked === other.isLinked && one.order < other.order;
}

function markHidden(tree: HtmlTree, byKey: RulesByPart, shows: readonly Rule[]): Uint8Array | undefined {
  const { of, names } = tree.classes();
  const byClass = names.map((name) => ofClasses(name, byKey));
  const namesIds = [...byKey.keys()].some((key) => key.startsWith("#"));
  let hidden: Uint8Array | undefined;
  let showing: RulesByPart | undefined;
  // NOTE: a closure over `node` in this loop would cost memory for each node.
  for (let node = 1; node < tree.size; node++) {
    const id = namesIds && tree.tag[node] !== TEXT ? tree.attribute(node, "id") : undefined;
    const byId = id === undefined ? undefined : byKey.get(`#${id}`);
    const candidates = byClass[of[node] ?? 0] ?? NO_RULES;
    if (candidates.length === 0 && byId === undefined) continue;
    const rule = firstMatching(tree, node, byId ?? NO_RULES) ?? firstMatching(tree, node, candidates);
    if (!rule || staysSeen(tree, node)) continue;
    showing ??= rulesByPart(shows, partOf);
    if (isShownBy(tree, node, ofNode(showing, tree, node), rule)) continue;
    hidden ??= new Uint8Array(tree.size);
    hidden[node] = 1;
    node = (tree.end[node] ?? tree.size) - 1;
  }
  return hidden && isSmallPart(tree, hidden) ? hidden : undefined;
}

function firstMatching(tree: HtmlTree, node: number, rules: readonly Rule[]): Rule | undefined {
  for (const rule of rules) if (matches(tree, node, rule)) return rule;
  return undefined;
}

function staysSeen(tree: HtmlTree, node: number): boolean {
  return (
    staysThoughHidden(tree, node) ||
    followsControl(tree, node) ||
    OWN_STYLE.test(tree.attribute(node, "style") ?? "")
  );
}

function isShownBy(tree: HtmlTree, node: number, rules: readonly Rule[], hiding: Rule): boolean {
  for (const rule of rules)
    if (!isBefore(rule, hiding) && !isBare(rule) && matches(tree, node, rule)) return true;
  return false;
}

/** Those of the rules that may be about a node. */
function ofNode(rules: RulesByPart, tree: HtmlTree, node: number): readonly Rule[] {
  const ofAny = rules.get("") ?? NO_RULES;
  const ofId = rules.get(`#${tree.attribute(node, "id")}`) ?? NO_RULES;
  return [...ofAny, ...ofId, ...ofClasses(tree.attribute(node, "class") ?? "", rules)];
}

const NO_RULES: readonly Rule[] = [];
const NOTHING: Compound = { parts: [], names: [], isParent: true };

/** @param names a class attribute */
function ofClasses(names: string, byPart: RulesByPart): readonly Rule[] {
  let rules: Rule[] | undefined;
  for (let at = 0; at < names.length;) {
    let end = at;
    while (end < names.length && names.charCodeAt(end) > SPACE) end++;
    const ofName = end > at ? byPart.get(names.slice(at, end)) : undefined;
    if (ofName) (rules ??= []).push(...ofName);
    at = end + 1;
  }
  return rules ?? NO_RULES;
}

/**
 * An id or class that each element has which a rule is about, without reading all of its selector; "" when that does not tell
 * one.
 */
function partOf({ selector }: Rule): string {
  if (selector.length > MAX_SELECTOR || ODD.test(selector)) return "";
  const words = selector.trimEnd();
  const tail = words.slice(
    Math.max(...[" ", "\n", "\t", ">", "+", "~"].map((sign) => words.lastIndexOf(sign))) + 1,
  );
  return keyOfPart(/[.#][\w-]+/.exec(tail)?.[0] ?? "");
}

/** Escapes, attributes, and what stands in brackets. */
const ODD = /[\\([]/;

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
function isBare(rule: Rule): boolean {
  return compoundsOf(rule).every(({ parts }) => parts.every((part) => /^[a-z]/i.test(part)));
}

function matches(tree: HtmlTree, element: number, rule: Rule): boolean {
  const compounds = compoundsOf(rule);
  let node = element;
  for (let at = compounds.length - 1; at >= 0; at--) {
    const compound = compounds[at] ?? NOTHING;
    const isInner = at === compounds.length - 1;
    while (node > 0 && !fits(tree, node, compound)) {
      if (isInner || compound.isParent) return false;
      node = tree.parent[node] ?? 0;
    }
    if (node <= 0) return false;
    node = tree.parent[node] ?? 0;
  }
  return true;
}

function fits(tree: HtmlTree, node: number, { parts, names }: Compound): boolean {
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? "";
    const name = names[at] ?? "";
    if (part.startsWith("#")) {
      if (tree.attribute(node, "id") !== name) return false;
    } else if (part.startsWith(".")) {
      if (!isAmong(tree.attribute(node, "class") ?? "", name)) return false;
    } else if (tree.nameOf(node) !== name) return false;
  }
  return true;
}

function isAmong(classes: string, name: string): boolean {
  for (let at = classes.indexOf(name); at >= 0; at = classes.indexOf(name, at + 1))
    if (isBlankAt(classes, at - 1) && isBlankAt(classes, at + name.length)) return true;
  return false;
}

function isBlankAt(text: string, at: number): boolean {
  return text.charAt(at).trim() === "";
}
