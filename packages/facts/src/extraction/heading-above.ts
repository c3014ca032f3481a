import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { textOf } from "../structured/text-of.ts";
import type { PageParts } from "./page-parts.ts";

const HEADINGS = tagSet("h1 h2 h3 h4 h5 h6");
const FAR = 4000;

/** The nearest heading above an element; "" if none is near. */
export function headingAbove({ tree }: PageParts, node: number): string {
  for (let before = node - 1; before > 0 && before > node - FAR; before--) {
    if (HEADINGS[tree.tag[before] ?? 0] === 1) return textOf(tree, before, 80);
  }
  return "";
}
