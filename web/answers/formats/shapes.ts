import type { z } from "zod";

import type { AttributeValues } from "../../../src/contract/answer.ts";
import type { Branding } from "../../../src/contract/branding.ts";
import type { MenuAnswer } from "../../../src/contract/menu.ts";
import type { Price, ProductAnswer } from "../../../src/contract/product.ts";

export type { AttributeValues, MenuAnswer, ProductAnswer };
export type BrandAnswer = z.output<typeof Branding>;
export type PriceAnswer = z.output<typeof Price>;

/** `changeTracking` of a scrape. */
export interface ChangeAnswer {
  readonly previousScrapeAt: string | null;
  readonly changeStatus: string;
  readonly diff?: string;
  readonly json?: Readonly<Record<string, { readonly previous: unknown; readonly current: unknown }>>;
}
