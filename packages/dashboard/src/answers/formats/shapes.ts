import type { z } from "zod";

import type { AttributeValues } from "@pergamon-dev/server/api/answer";
import type { Branding } from "@pergamon-dev/server/api/branding";
import type { Citations } from "@pergamon-dev/server/api/citation";
import type { MenuAnswer } from "@pergamon-dev/server/api/menu";
import type { Price, ProductAnswer } from "@pergamon-dev/server/api/product";

export type { AttributeValues, MenuAnswer, ProductAnswer };
export type BrandAnswer = z.output<typeof Branding>;
export type PriceAnswer = z.output<typeof Price>;

/** Places of values, by their paths. */
export type EvidenceCitations = z.output<typeof Citations>;

/** `changeTracking` of a scrape. */
export interface ChangeAnswer {
  readonly previousScrapeAt: string | null;
  readonly changeStatus: string;
  readonly diff?: string;
  readonly json?: Readonly<Record<string, { readonly previous: unknown; readonly current: unknown }>>;
}
