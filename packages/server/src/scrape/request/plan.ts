import { withoutCredentials } from "@pergamon-dev/kit/url";
import type { Visit } from "../../fetch/visit.ts";
import { type CachePlan, cachePlan } from "./cache-plan.ts";
import { type OptionsPlan, planOptions } from "./options-plan.ts";
import { replayRecipe } from "./replay-recipe.ts";
import type { ScrapeRequest } from "./schema.ts";

export type { PlannedFormat, Recipe } from "./options-plan.ts";
export type { CachePlan };

/** Every decision about a request that needs no network. */
export interface Plan extends Omit<OptionsPlan, "visit" | "cache" | "replay"> {
  /** The URL of the request, without user name and password, which only the visit gets. */
  readonly sourceUrl: string;
  /** Host of the source URL, without port. */
  readonly host: string;
  readonly visit: Omit<Visit, "teamId">;
  readonly cache: CachePlan;
  /** JSON for opening the page again. Undefined when the URL is enough. */
  readonly replay: string | undefined;
}

/** Turns a request into the decisions that follow from it. Pure. */
export function planScrape(request: ScrapeRequest, warnings: readonly string[] = []): Plan {
  return planAddress(request.url, planOptions(request, warnings));
}

/**
 * Applies planned options to one address. It must be cheap, because there may be a million addresses. Pure.
 */
export function planAddress(url: string, options: OptionsPlan): Plan {
  return {
    ...options,
    sourceUrl: withoutCredentials(url),
    host: new URL(url).hostname,
    visit: { ...options.visit, url: exportUrl(url) },
    cache: cachePlan(url, options.cache),
    replay: replayRecipe(url, options.replay),
  };
}

/** A host whose pages only display documents, with the addresses of the documents. */
interface DocumentHost {
  readonly host: string;
  /** Its first group is the id of the document. */
  readonly path: RegExp;
  readonly exportUrl: (id: string) => string;
}

/** Ids are never as short as the `e` of published pages, which are real pages. */
const ID = String.raw`([\w-]{10,})`;

/** One line per type of link (contract, section 3.16a). */
const HOSTS: readonly DocumentHost[] = [
  {
    host: "docs.google.com",
    path: new RegExp(String.raw`^/document/(?:u/\d+/)?d/${ID}(?:/(?:edit|view|preview|mobilebasic)?)?$`),
    exportUrl: (id) => `https://docs.google.com/document/d/${id}/export?format=pdf`,
  },
  {
    host: "docs.google.com",
    path: new RegExp(String.raw`^/presentation/(?:u/\d+/)?d/${ID}(?:/(?:edit|view|preview|present)?)?$`),
    exportUrl: (id) => `https://docs.google.com/presentation/d/${id}/export/pdf`,
  },
  {
    host: "docs.google.com",
    path: new RegExp(String.raw`^/spreadsheets/(?:u/\d+/)?d/${ID}(?:/(?:edit|view|preview|htmlview)?)?$`),
    exportUrl: (id) => `https://docs.google.com/spreadsheets/d/${id}/export?format=xlsx`,
  },
  {
    host: "drive.google.com",
    path: new RegExp(String.raw`^/file/(?:u/\d+/)?d/${ID}(?:/(?:edit|view|preview)?)?$`),
    exportUrl: (id) => `https://drive.google.com/uc?export=download&id=${id}`,
  },
];

/** Address of the document behind a link. Other links are returned unchanged. */
export function exportUrl(url: string): string {
  const { hostname, pathname } = new URL(url);
  for (const { host, path, exportUrl: exported } of HOSTS) {
    const id = hostname === host ? path.exec(pathname)?.[1] : undefined;
    if (id !== undefined) return exported(id);
  }
  return url;
}
