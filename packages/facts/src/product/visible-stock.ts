import { type HtmlTree, TEXT, tagId } from "@pergamon-dev/html/parser/tree";
import type { BuyButton } from "./buy-button.ts";
import type { Heading } from "./heading.ts";
import { FURNITURE, LINK, OTHER_PRODUCTS, type PageLayout, UNSEEN } from "./page-layout.ts";
import { endsOutOfStock, saysInStock, saysOutOfStock } from "./stock.ts";

const BUTTON = tagId("button");
/** Elements around a text that a button may be. */
const MAX_LEVELS = 4;

/** How far from the heading a page speaks of its product. In characters. */
const NEAR = 4000;
const BEFORE = 300;
/** Phrases about stock are short; in longer texts the words mean something else. */
const MAX_LENGTH = 120;
const MAX_SOURCE_LENGTH = 1000;
/** What is longer says more than a state. */
const MAX_STATE_LENGTH = 40;

/** What the page shows about whether its product can be bought. */
export interface VisibleStock {
  readonly saysOut: boolean;
  readonly saysIn: boolean;
  /** Short phrases that say no more than the state of the product. What can be pressed to buy it is none. */
  readonly outText: string | undefined;
  readonly inText: string | undefined;
}

/** Reads the short texts around the heading, those of other products left out. */
export function readVisibleStock(
  { tree, inside, offset }: PageLayout,
  heading: Heading,
  buttons: readonly BuyButton[],
): VisibleStock {
  const start = offset[heading.node < 0 ? (buttons[0]?.node ?? 0) : heading.node] ?? 0;
  let [saysOut, saysIn] = [false, false];
  let outText: string | undefined;
  let inText: string | undefined;
  for (let node = 1; node < tree.size; node++) {
    const at = offset[node] ?? 0;
    if (at > start + NEAR) break;
    if (tree.tag[node] !== TEXT || at < start - BEFORE || tree.isBlank(node)) continue;
    const bits = inside[node] ?? 0;
    if ((bits & (OTHER_PRODUCTS | FURNITURE | UNSEEN)) !== 0) continue;
    const source = tree.text(node);
    if (source.length > MAX_SOURCE_LENGTH) continue;
    const text = source.replace(/\s+/g, " ").trim();
    if (text.length > MAX_LENGTH) continue;
    const isShort = text.length <= MAX_STATE_LENGTH;
    if (saysOutOfStock(text)) {
      saysOut = true;
      outText ??= isShort && endsOutOfStock(text) ? text : undefined;
    } else if (saysInStock(text)) {
      saysIn = true;
      const isPressed = (bits & LINK) !== 0 || isInButton(tree, node);
      inText ??= isShort && !isPressed ? text : undefined;
    }
  }
  return { saysOut, saysIn, outText, inText };
}

function isInButton(tree: HtmlTree, node: number): boolean {
  for (let at = node, level = 0; at > 0 && level < MAX_LEVELS; level++, at = tree.parent[at] ?? 0)
    if (tree.tag[at] === BUTTON) return true;
  return false;
}
