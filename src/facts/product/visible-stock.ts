import { TEXT } from "../../page-content/html/parser/tree.ts";
import type { BuyButton } from "./buy-button.ts";
import type { Heading } from "./heading.ts";
import { FURNITURE, OTHER_PRODUCTS, type PageLayout, UNSEEN } from "./page-layout.ts";
import { saysInStock, saysOutOfStock } from "./stock.ts";

/** How far from the heading a page speaks of its product. In characters. */
const NEAR = 4000;
const BEFORE = 300;
/** Phrases about stock are short; in longer texts the words mean something else. */
const MAX_LENGTH = 120;
const MAX_SOURCE_LENGTH = 1000;

/** What the page shows about whether its product can be bought. */
export interface VisibleStock {
  readonly saysOut: boolean;
  readonly saysIn: boolean;
  /** The phrase that says it. */
  readonly text: string | undefined;
}

/** Reads the short texts around the heading, those of other products left out. */
export function readVisibleStock(
  { tree, inside, offset }: PageLayout,
  heading: Heading,
  buttons: readonly BuyButton[],
): VisibleStock {
  const start = offset[heading.node < 0 ? (buttons[0]?.node ?? 0) : heading.node] ?? 0;
  let out: string | undefined;
  let present: string | undefined;
  for (let node = 1; node < tree.size; node++) {
    const at = offset[node] ?? 0;
    if (at > start + NEAR) break;
    if (tree.tag[node] !== TEXT || at < start - BEFORE || tree.isBlank(node)) continue;
    if (((inside[node] ?? 0) & (OTHER_PRODUCTS | FURNITURE | UNSEEN)) !== 0) continue;
    const source = tree.text(node);
    if (source.length > MAX_SOURCE_LENGTH) continue;
    const text = source.replace(/\s+/g, " ").trim();
    if (text.length > MAX_LENGTH) continue;
    if (out === undefined && saysOutOfStock(text)) out = text;
    else if (present === undefined && saysInStock(text)) present = text;
  }
  return { saysOut: out !== undefined, saysIn: present !== undefined, text: out ?? present };
}
