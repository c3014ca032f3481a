import { type AddressIdentifier, identifiersOfAddress } from "./address-identifier.ts";
import type { Evidence } from "../structured/evidence.ts";
import { type BuyButton, findBuyButtons } from "./buy-button.ts";
import type { FactSource, ProductFacts } from "./facts.ts";
import { findHeading, type Heading } from "./heading.ts";
import { findPriceCandidates, type PriceCandidate } from "./price-candidates.ts";
import { describeCandidates, type StatedAmounts } from "./price-features.ts";
import { FURNITURE, layOut, LINK, OTHER_PRODUCTS, type PageLayout, UNSEEN } from "./page-layout.ts";
import { findOwnFacts, type OwnFacts, type PageName, plainAddress } from "./own-facts.ts";
import { baseUrlOf } from "@pergamon-dev/html/selection/base-url";
import { type HtmlTree, tagId, TEXT } from "@pergamon-dev/html/parser/tree";
import { endsOutOfStock, saysInStock, saysOutOfStock } from "./stock.ts";

export interface ProductEvidence {
  readonly layout: PageLayout;
  readonly heading: Heading;
  readonly page: PageName;
  readonly own: OwnFacts;
  readonly buttons: readonly BuyButton[];
  readonly stock: VisibleStock;
  /** Every element that shows a price. */
  readonly candidates: readonly PriceCandidate[];
  /** Feature rows of the candidates for the model. */
  readonly rows: readonly (readonly number[])[];
  /** Possible identifiers from the page's URL. */
  readonly identifiers: readonly AddressIdentifier[];
}

/** Groups of sources that the price model distinguishes. */
const STATED: readonly (readonly FactSource[])[] = [["json-ld", "microdata", "rdfa"], ["meta"], ["state"]];

export function gatherProductEvidence(
  evidence: Evidence,
  url: string,
  candidates = findPriceCandidates(evidence.tree),
): ProductEvidence {
  const { tree, meta } = evidence;
  const titles = [meta("og:title"), meta("title")].filter((title) => title !== undefined);
  const heading = findHeading(tree, titles);
  const names = [heading.text, ...titles].filter((name) => name !== "");
  const addresses = [url, baseUrlOf(tree, url), meta("og:url")].flatMap((address) =>
    address === undefined ? [] : [plainAddress(address)],
  );
  const page = { names, addresses };
  const own = findOwnFacts(evidence, page);
  const layout = layOut(tree, heading.node);
  const buttons = findBuyButtons(layout);
  const anchors = { heading: heading.node, buyButton: buttons[0]?.node ?? -1 };
  const rows = describeCandidates(layout, candidates, { anchors, stated: statedAmounts(own.facts) });
  const identifiers = identifiersOfAddress(evidence.source(), url);
  const stock = readVisibleStock(layout, heading, buttons);
  return { layout, heading, page, own, buttons, stock, candidates, rows, identifiers };
}

function statedAmounts(facts: readonly ProductFacts[]): StatedAmounts {
  return STATED.map((sources) =>
    facts
      .filter(({ source }) => sources.includes(source))
      .flatMap(({ offers }) =>
        offers.flatMap(({ price }) => (price && price.amount > 0 ? [price.amount] : [])),
      ),
  );
}

const BUTTON = tagId("button");
/** Maximum levels from a text up to its button. */
const MAX_LEVELS = 4;

/** In characters from the heading. The page's product is described within this range. */
const NEAR = 4000;
const BEFORE = 300;
/** Stock phrases are short; in longer texts the words mean something else. */
const MAX_LENGTH = 120;
const MAX_SOURCE_LENGTH = 1000;
/** Longer phrases say more than the stock state. */
const MAX_STATE_LENGTH = 40;

/** Stock state that the page shows. */
interface VisibleStock {
  readonly saysOut: boolean;
  readonly saysIn: boolean;
  /** Short phrases with only the stock state. `inText` leaves out the texts of links and buttons. */
  readonly outText: string | undefined;
  readonly inText: string | undefined;
}

/** Reads short texts near the heading, outside areas of other products. */
function readVisibleStock(
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
