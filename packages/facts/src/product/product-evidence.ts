import { type AddressIdentifier, identifiersOfAddress } from "./address-identifier.ts";
import type { Evidence } from "../structured/evidence.ts";
import { findBuyButtons, type BuyButton } from "./buy-button.ts";
import type { FactSource, ProductFacts } from "./facts.ts";
import { findHeading, type Heading } from "./heading.ts";
import { findPriceCandidates, type PriceCandidate } from "./price-candidates.ts";
import { describeCandidates, type StatedAmounts } from "./price-features.ts";
import { readVisibleStock, type VisibleStock } from "./visible-stock.ts";
import { layOut, type PageLayout } from "./page-layout.ts";
import { findOwnFacts, type OwnFacts, type PageName, plainAddress } from "./own-facts.ts";
import { baseUrlOf } from "@pergamon-dev/html/selection/base-url";

/** What a page says and shows of its product. */
export interface ProductEvidence {
  readonly layout: PageLayout;
  readonly heading: Heading;
  readonly page: PageName;
  readonly own: OwnFacts;
  readonly buttons: readonly BuyButton[];
  readonly stock: VisibleStock;
  /** Every place that shows a price. */
  readonly candidates: readonly PriceCandidate[];
  /** Numbers that describe the candidates, for the model. */
  readonly rows: readonly (readonly number[])[];
  /** What the page's address may call the product. */
  readonly identifiers: readonly AddressIdentifier[];
}

/** Kinds of sources whose prices the model knows apart. */
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
