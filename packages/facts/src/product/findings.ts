import type { Evidence } from "../structured/evidence.ts";
import type { ProductModels } from "./models.ts";
import type { ProductEvidence } from "./product-evidence.ts";

/** Everything known about a page that sells a product. */
export interface Findings {
  readonly evidence: Evidence;
  readonly product: ProductEvidence;
  /** By price candidate. */
  readonly scores: readonly number[];
  readonly models: ProductModels;
  /** URL of the page. */
  readonly url: string;
}
