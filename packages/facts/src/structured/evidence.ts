import { lazy } from "@pergamon-dev/kit/lazy";
import type { HtmlTree } from "@pergamon-dev/html/parser/tree";
import { type Pair, readPairs } from "./pairs.ts";
import type { SchemaItem } from "./schema-item.ts";
import { readSchemaItems } from "./schema-items.ts";
import { readScriptValues } from "./script-values.ts";

/** What a page says in a form that machines can read. Each part is computed on first use, then kept. */
export interface Evidence {
  readonly tree: HtmlTree;
  /** The HTML of the page as it came. */
  source(): string;
  /** Items in the words of schema.org: JSON-LD, microdata, RDFa. */
  items(): readonly SchemaItem[];
  /** State for the scripts of the page, where it speaks of prices. */
  states(): readonly unknown[];
  /** Labels and values that readers see. */
  pairs(): readonly Pair[];
  /** The first value that the page's head gives for the first of these names that it has, such as `og:title`. */
  meta(...names: readonly string[]): string | undefined;
}

/** What the head of a page says about it, by name. */
type Metadata = Readonly<Record<string, string | readonly string[]>>;

/** What evidence is gathered from. */
interface EvidenceSource {
  readonly tree: HtmlTree;
  source(): string;
  metadata(): Metadata;
}

export function gatherEvidence({ tree, source, metadata }: EvidenceSource): Evidence {
  const byName = lazy(() => indexNames(metadata()));
  return {
    tree,
    source,
    items: lazy(() => readSchemaItems(tree)),
    states: lazy(() => readScriptValues(tree)),
    pairs: lazy(() => readPairs(tree)),
    meta: (...names) => names.map((name) => byName().get(name)).find((value) => value !== undefined),
  };
}

/** Names of metadata are written in any case. */
function indexNames(metadata: Metadata): ReadonlyMap<string, string> {
  const byName = new Map<string, string>();
  for (const [name, value] of Object.entries(metadata)) {
    const first = (typeof value === "string" ? value : value[0])?.trim();
    if (first !== undefined && first !== "" && !byName.has(name.toLowerCase())) {
      byName.set(name.toLowerCase(), first);
    }
  }
  return byName;
}
