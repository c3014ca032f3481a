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
  /** As it was sent, but without user name and password, which only the visit gets to know. */
  readonly sourceUrl: string;
  /** Of the source URL, without port. */
  readonly host: string;
  readonly visit: Omit<Visit, "teamId">;
  readonly cache: CachePlan;
  /** How its page is opened again, as JSON; undefined when its URL says it all. */
  readonly replay: string | undefined;
}

/** Turns a request into the decisions that follow from it. Pure. */
export function planScrape(request: ScrapeRequest, warnings: readonly string[] = []): Plan {
  return planAddress(request.url, planOptions(request, warnings));
}

/** What follows for one address from options that are planned already: cheap, as there may be a million of them. Pure. */
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

/** A host whose pages only show documents, and where those can be had. */
interface DocumentHost {
  readonly host: string;
  /** With the document's id as its first group. */
  readonly path: RegExp;
  readonly exportUrl: (id: string) => string;
}

/** Ids are never as short as the `e` of published pages, which are pages indeed. */
const ID = String.raw`([\w-]{10,})`;

/** One line per sort of link (contract, section 3.16a). */
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

/** Where the document behind a link can be fetched; the link itself unless its host only shows documents. */
export function exportUrl(url: string): string {
  const { hostname, pathname } = new URL(url);
  for (const { host, path, exportUrl: exported } of HOSTS) {
    const id = hostname === host ? path.exec(pathname)?.[1] : undefined;
    if (id !== undefined) return exported(id);
  }
  return url;
}
