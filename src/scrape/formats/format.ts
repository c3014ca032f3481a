import type { z } from "zod";

import type { ScrapeData } from "../../contract/scrape-data.ts";
import type { FileContent } from "../../platform/blobs/file-content.ts";
import type { Page } from "../../page/page.ts";
import type { BrowserOrder } from "../../visit/visit.ts";

/** The shape of one element of `formats`, without what it produces. */
type FormatOptions = z.ZodType<{ readonly type: string }>;

/** What a format can use beside the page. */
export interface FormatTools {
  /** Keeps a file for 24 hours. @returns its absolute URL, which needs no key. */
  link(file: FileContent): Promise<string>;
  /** Adds a sentence to `data.warning`. */
  warn(sentence: string): void;
}

/** Everything about one output format: its request shape, its price and its computation. */
export interface Format<Options extends FormatOptions = FormatOptions> {
  readonly options: Options;
  /** Credits on top of the base price (contract, section 5.1). */
  readonly credits: number;
  /** The base price of a scrape that wants this format, where it is not the usual one; the highest counts, once. */
  baseCredits?(options: z.output<Options>): number;
  /** True when the format works on any body, also one that is no page or document. */
  readonly acceptsAnyFile?: boolean;
  /** Whether a page of this format is neither read from the cache nor written to it (contract, section 3.24). */
  readonly bypassesCache?: (options: z.output<Options>) => boolean;
  /** True when what it produces is a link, which ends: it is then made for each answer. */
  readonly makesLinks?: boolean;
  /**
   * What a browser has to do or to collect for the format. Makes the browser necessary. Without one the capture lacks
   * what was asked for, and the answer warns of it.
   */
  readonly browser?: (options: z.output<Options>) => Partial<BrowserOrder>;
  /** Computes the fields of `data` that the format stands for. */
  produce(page: Page, options: z.output<Options>, tools: FormatTools): Promise<Partial<ScrapeData>>;
}

/** Declares a format; keeps the type of its options. */
export function defineFormat<Options extends FormatOptions>(format: Format<Options>): Format<Options> {
  return format;
}
