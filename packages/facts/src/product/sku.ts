import type { Evidence } from "../structured/evidence.ts";
import { countStated } from "./address-identifier.ts";
import type { Identifier } from "./facts.ts";
import { shownIdentifiers } from "./labelled-identifiers.ts";
import type { ProductEvidence } from "./product-evidence.ts";

/** A name that machines may know the product by. */
export interface SkuCandidate {
  readonly value: string;
  /** Numbers that describe it, for the model. */
  readonly row: readonly number[];
}

/** Who states an identifier. */
type Stating = Identifier["kind"] | "shop" | "maker" | "everybody" | "address";

const STATING: readonly Stating[] = [
  "sku",
  "productId",
  "mpn",
  "gtin",
  "offer",
  "state",
  "meta",
  "shop",
  "maker",
  "everybody",
  "address",
];
const FAR = 20;
const MAX_LENGTH = 40;

interface Statement {
  readonly by: Stating;
  readonly value: string;
  /** Where the page shows it; -1 for what it does not show. */
  readonly node: number;
}

/** Everything that may be what the shop calls its product, each once. */
export function findSkuCandidates(evidence: Evidence, product: ProductEvidence): readonly SkuCandidate[] {
  const statements = statementsOf(evidence, product);
  const byValue = new Map<string, Statement[]>();
  for (const statement of statements) {
    const key = folded(statement.value);
    if (key !== "") byValue.set(key, [...(byValue.get(key) ?? []), statement]);
  }
  const present = STATING.map((by) => (statements.some((one) => one.by === by) ? 1 : 0));
  return [...byValue.values()].map((group) => ({
    value: group[0]?.value ?? "",
    row: [...describe(group, { evidence, product }), ...present],
  }));
}

function statementsOf(evidence: Evidence, { own, identifiers }: ProductEvidence): readonly Statement[] {
  const stated = own.facts.flatMap((facts) =>
    facts.identifiers.map(({ kind, value }) => ({ by: kind, value: plainIdentifier(value), node: -1 })),
  );
  const labelled = shownIdentifiers(evidence, stated.length > 0).map(({ giver, value, node }) => ({
    by: giver,
    value,
    node,
  }));
  const address = identifiers.map(({ value }) => ({ by: "address" as const, value, node: -1 }));
  return [...stated, ...labelled, ...address].filter(({ value }) => value.length <= MAX_LENGTH);
}

/** Shops put the name of the product after its number. */
function plainIdentifier(value: string): string {
  const [first = value] = value.split(" ");
  return /\d/.test(first) ? first : value;
}

/** Identifiers are compared without case and separators. */
function folded(value: string): string {
  return value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function describe(
  group: readonly Statement[],
  { evidence, product }: { readonly evidence: Evidence; readonly product: ProductEvidence },
): readonly number[] {
  const { layout, heading, page } = product;
  const value = group[0]?.value ?? "";
  const node = group.find((one) => one.node >= 0)?.node ?? -1;
  const distance =
    node < 0 ? 0 : (layout.offset[node] ?? 0) - (layout.offset[Math.max(0, heading.node)] ?? 0);
  const digits = value.replace(/\D/g, "").length;
  return [
    ...STATING.map((by) => (group.some((one) => one.by === by) ? 1 : 0)),
    new Set(group.map(({ by }) => by)).size,
    Math.log2(1 + countStated(evidence.source(), value)),
    node < 0 ? FAR : Math.sign(distance) * Math.log2(1 + Math.abs(distance)),
    value.length,
    digits / Math.max(1, value.length),
    /[-_/.]/.test(value) ? 1 : 0,
    page.addresses.some((address) => address.includes(value.toLowerCase())) ? 1 : 0,
  ];
}
