import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { TEXT, tagId } from "@pergamon-dev/html/parser/tree";
import { currencyIn } from "../product/currencies.ts";
import { textOf } from "../structured/text-of.ts";
import type { Candidate } from "./candidate.ts";
import type { Concept } from "./concepts.ts";
import type { PageParts } from "./page-parts.ts";
import { readDate } from "./read-date.ts";
import { openScope, type Scope } from "./scope.ts";
import { namedCandidates } from "./visible-candidates.ts";
import { labelWords } from "./words.ts";

const HEADINGS = tagSet("h1 h2 h3 h4 h5 h6");
const EMPHASIS = tagSet("strong b dt summary");
const [A, IMG, TIME, P] = ["a", "img", "time", "p"].map(tagId);
const MAX_LENGTH = 1000;
/** A price without a currency must have decimals. */
const AMOUNT = /^\d{1,4}[.,]\d{2}$/;
/** Maximum characters of a price with the rest of its line. */
const MAX_PRICE = 60;
/** An emphasised text that is only a price is not a title. */
const AMOUNT_ALONE = /^[\d.,\s\p{Sc}]*(?:[A-Z]{3})?[\d.,\s]*$/u;
const MAX_TITLE = 200;
const MAX_NODES = 3000;

/**
 * Content of one block of several, such as a card: its heading, link, picture, price, date and named
 * elements.
 */
export function scopeOfBlock(parts: PageParts, block: number, section: () => string): Scope {
  return openScope(() => {
    const end = Math.min(parts.tree.end[block] ?? 0, block + MAX_NODES);
    const named = namedCandidates(parts, block + 1, end).flatMap(namedInBlock);
    const inSection = {
      concept: "category" as const,
      label: ["category"],
      values: [section()],
      foundBy: "label" as const,
      weight: 0.7,
      node: block,
    };
    const found = [...partCandidates(parts, block, end), ...pairsIn(parts, block, end), ...named];
    return section() === "" ? found : [...found, inSection];
  });
}

/** A name inside a block refers to the block wherever it stands; `review-author` also counts as `author`. */
function namedInBlock(candidate: Candidate): readonly Candidate[] {
  const own = { ...candidate, weight: 0.75 };
  return candidate.label.length < 2 ? [own] : [own, { ...own, label: candidate.label.slice(1), weight: 0.7 }];
}

/** One line per usual part of a block. The first match counts. */
function partCandidates(parts: PageParts, block: number, end: number): readonly Candidate[] {
  const { tree } = parts;
  const first = new Map<Concept, Candidate>();
  function add(concept: Concept, value: unknown, weight: number, node: number): void {
    const known = first.get(concept);
    if (value === undefined || value === "" || (known && known.weight >= weight)) return;
    first.set(concept, { label: [concept], concept, values: [value], foundBy: "card", weight, node });
  }
  for (let node = block; node < end; node++) {
    const tag = tree.tag[node] ?? 0;
    if (tag === TEXT) addText(tree.isBlank(node) ? "" : tree.text(node).trim(), node, add);
    else if (HEADINGS[tag] === 1) add("title", textOf(tree, node, 300), 0.92, node);
    else if (EMPHASIS[tag] === 1 && !AMOUNT_ALONE.test(textOf(tree, node, 200)))
      add("title", textOf(tree, node, 200).replace(/:$/, ""), 0.6, node);
    else if (tag === P) add("description", textOf(tree, node, MAX_LENGTH), 0.75, node);
    else if (tag === TIME)
      add("published", tree.attribute(node, "datetime") ?? textOf(tree, node, 80), 0.9, node);
    else if (tag === IMG)
      add(
        "image",
        address(parts, tree.attribute(node, "src") ?? tree.attribute(node, "data-src")),
        0.85,
        node,
      );
    else if (tag === A) {
      add("url", address(parts, tree.attribute(node, "href")), 0.85, node);
      add("title", firstWords(parts, node, Math.min(end, tree.end[node] ?? 0)), 0.7, node);
    }
  }
  if (!first.has("title")) add("title", firstWords(parts, block, end), 0.55, block);
  return [...first.values()];
}

function addText(
  text: string,
  node: number,
  add: (concept: Concept, value: unknown, weight: number, node: number) => void,
): void {
  if (text.length > 200) return;
  if (/\d/.test(text) && text.length < MAX_PRICE && currencyIn(text) !== undefined) {
    add("price", text, 0.85, node);
    add("currency", currencyIn(text), 0.85, node);
  }
  if (AMOUNT.test(text)) add("price", text, 0.6, node);
  const date = /\d{4}/.test(text) ? readDate(text) : undefined;
  if (date) add("published", date.text, 0.7, node);
}

/** `Label: value` pairs and definition terms within the block. */
function pairsIn({ evidence }: PageParts, block: number, end: number): readonly Candidate[] {
  return evidence
    .pairs()
    .filter(({ node }) => node >= block && node < end)
    .map(({ label, value, node }) => ({
      label: labelWords(label),
      values: [value],
      foundBy: "label",
      weight: 0.9,
      node,
    }));
}

/** The first text with words. A card without a heading begins with its name. */
function firstWords({ tree }: PageParts, block: number, end: number): string | undefined {
  for (let node = block; node < end; node++) {
    const text = tree.tag[node] === TEXT ? tree.text(node).trim() : "";
    if (/\p{L}{2}/u.test(text)) return text.length < MAX_TITLE ? text : undefined;
  }
  return undefined;
}

function address({ baseUrl }: PageParts, href: string | undefined): string | undefined {
  if (href === undefined || /^(?:#|javascript:|data:)/i.test(href.trim())) return undefined;
  return resolveUrl(href, baseUrl);
}
