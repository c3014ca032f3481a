import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import { textOf } from "../structured/text-of.ts";
import type { Candidate } from "./candidate.ts";
import { type Concept, conceptOf } from "./concepts.ts";
import { type PageParts, weightOfPlace } from "./page-parts.ts";
import { readDate } from "./read-date.ts";

const BINDING =
  /^(?:(?:mass market |trade |large print |library )?(?:paperback|hardcover|hardback)|softcover|kindle(?: edition)?|e-?book|audio ?book|audio cd|board book|taschenbuch|gebunden|broschiert|poche|broché|relié|tapa (?:blanda|dura)|brossura|copertina rigida)\b/iu;
const ISBN = /97[89][\d -]{10,14}|\b\d{9}[\dXx]\b/;
const PAGES = /^\d{1,5}\s*(?:p\.?|pp\.?|pages?|seiten|páginas|pagine)$/iu;
const YEAR = /^(?:1[5-9]|20)\d\d$/;
const MAX_LENGTH = 160;
const MAX_NODES = 30_000;

/** Parts of edition lines such as `Faber / 2011 / Paperback`, and of publishers followed by a date. */
export function editionCandidates(parts: PageParts): readonly Candidate[] {
  const { tree } = parts;
  const found: Candidate[] = [];
  for (let node = 1; node < Math.min(tree.size, MAX_NODES); node++) {
    const line = tree.tag[node] === TEXT ? lineAt(tree, node) : "";
    if (line === "") continue;
    const weight = 0.8 * weightOfPlace(parts, node);
    for (const [concept, value] of editionIn(line))
      found.push({ label: [concept], concept, values: [value], foundBy: "rule", weight, node });
  }
  return [...found, ...fromPublishers(parts)];
}

/** The line that begins with this text, even if it is split over elements. */
function lineAt(tree: HtmlTree, node: number): string {
  if (tree.isBlank(node)) return "";
  const own = tree.text(node);
  if (own.length > MAX_LENGTH) return "";
  if (/[/|•·,]/.test(own) && BINDING_INSIDE.test(own)) return own;
  if (!BINDING_INSIDE.test(own)) return "";
  const around = textOf(tree, tree.parent[tree.parent[node] ?? 0] ?? 0, MAX_LENGTH + 1);
  return around.length > MAX_LENGTH ? "" : around;
}

const BINDING_INSIDE =
  /paperback|hardcover|hardback|softcover|taschenbuch|gebunden|broschiert|broché|relié|tapa /iu;

function editionIn(line: string): readonly (readonly [Concept, string])[] {
  const parts = line
    .split(/\s*[/|•·;]\s*|,\s+|\s+[–—-]\s+/u)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const kinds = parts.map(kindOf);
  if (parts.length < 3 || !kinds.includes("format") || !kinds.includes("published")) return [];
  return parts.flatMap((part, index) => {
    const kind = kinds[index];
    return kind === undefined ? [] : [[kind, part] as const];
  });
}

/** A part that matches no other kind is the publisher. */
function kindOf(part: string): Concept | undefined {
  if (BINDING.test(part)) return "format";
  if (PAGES.test(part)) return "pages";
  if (ISBN.test(part)) return "isbn";
  if (YEAR.test(part) || readDate(part)) return "published";
  return /^\p{Lu}[^\d:]{2,40}$/u.test(part) ? "publisher" : undefined;
}

/** `Publisher: Faber; 2nd edition (May 3, 2011)`. */
function fromPublishers({ evidence }: PageParts): readonly Candidate[] {
  return evidence.pairs().flatMap(({ label, value, node }): readonly Candidate[] => {
    const date = conceptOf(label) === "publisher" ? readDate(value) : undefined;
    if (!date) return [];
    const name = value
      .slice(0, value.indexOf(date.text))
      .replace(/[\s(,;|/–-]+$/u, "")
      .replace(/;.*$/, "");
    const published: Candidate = {
      label: ["published"],
      concept: "published",
      values: [date.text],
      foundBy: "label",
      weight: 0.8,
      node,
    };
    return name === ""
      ? [published]
      : [
          published,
          { label: ["publisher"], concept: "publisher", values: [name], foundBy: "label", weight: 0.9, node },
        ];
  });
}
