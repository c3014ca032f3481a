import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import { similarity } from "../product/similarity.ts";
import { textOf } from "../structured/text-of.ts";
import type { PageParts } from "./page-parts.ts";

/** Headings less like the page's titles than this are names of sites, sections or notices. */
const LIKE_THE_TITLE = 0.3;
const HEADINGS = tagSet("h1 h2 h3 h4");
const MAIN_HEADING = tagSet("h1");
const MAX_HEADINGS = 60;
const MAX_LENGTH = 300;

/**
 * What the page is called: its heading, unless its titles say something else; else another heading that its title
 * begins with; else its title without the name of the site.
 */
export function findTitle({ tree, heading, titles, evidence }: PageParts): string | undefined {
  const [title = ""] = titles;
  const site = evidence.meta("og:site_name") ?? "";
  const isSite = site !== "" && similarity(heading.text, site) > 0.9;
  const likeness = Math.max(0, ...titles.map((one) => similarity(heading.text, one)));
  const isOwn = titles.length === 0 || likeness > LIKE_THE_TITLE;
  const isMain = heading.node >= 0 && MAIN_HEADING[tree.tag[heading.node] ?? 0] === 1;
  if (isMain && isOwn && !isSite) return heading.text;
  const found = headingOf(tree, titles) ?? (isOwn && !isSite ? heading.text : "");
  const shown = found || withoutAdditions(withoutSite(title, site)) || heading.text;
  return shown === "" ? undefined : shown;
}

/** The heading whose own words, without those of elements inside, a title begins with. */
function headingOf(tree: HtmlTree, titles: readonly string[]): string | undefined {
  const beginnings = titles.map(folded);
  let best = "";
  for (let node = 1, left = MAX_HEADINGS; node < tree.size && left > 0; node++) {
    if (HEADINGS[tree.tag[node] ?? 0] !== 1) continue;
    left--;
    const texts = [ownText(tree, node), textOf(tree, node, MAX_LENGTH)];
    const text = texts.find(
      (one) => one.length > 1 && beginnings.some((title) => startsWith(title, folded(one))),
    );
    if (text !== undefined && text.length > best.length) best = text;
  }
  return best === "" ? undefined : best;
}

function startsWith(title: string, text: string): boolean {
  return text !== "" && (title === text || title.startsWith(`${text} `));
}

function ownText(tree: HtmlTree, node: number): string {
  let text = "";
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner = tree.end[inner] ?? end) {
    if (tree.tag[inner] === TEXT) text += tree.text(inner);
  }
  return text.replace(/\s+/g, " ").trim().slice(0, MAX_LENGTH);
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** A title in the head without what stands behind the last bar or dash. */
function withoutSite(title: string, site: string): string {
  const parts = title.split(/\s+[|–—»·•:]\s+|\s+-\s+|(?<=\S)\s*\|\s*/u).filter((part) => part.trim() !== "");
  const own = parts.filter((part) => site === "" || similarity(part, site) < 0.8);
  const [first = "", second = ""] = own;
  const longest = first.length < 12 && second.length > first.length * 2 ? second : first;
  return (longest || title).trim();
}

/** `Emma by Jane Austen (Paperback)` is called `Emma`. */
function withoutAdditions(title: string): string {
  const additions = /\s*\((?:[^()]*(?:cover|back|edition|book|cd)[^()]*)\)\s*:?.*$/i;
  return title
    .replace(additions, "")
    .replace(/(?<=\S)\s+by\s+\p{Lu}[\p{L}.'’ -]{3,60}$/u, "")
    .trim();
}
