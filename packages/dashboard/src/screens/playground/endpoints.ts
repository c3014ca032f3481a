import type { JsonSchema } from "../../forms/json-schema.ts";

/** What can be tried. Further endpoints get a line. */
export const ENDPOINTS = {
  scrape: "Scrape",
  map: "Map",
  batch: "Batch scrape",
  crawl: "Crawl",
  search: "Search",
  extract: "Extract",
  agent: "Agent",
  file: "File",
  tool: "Tool",
} as const;
export type Endpoint = keyof typeof ENDPOINTS;

interface OptionGroup {
  readonly title: string;
  readonly isOpen: boolean;
  readonly names: readonly string[];
}

/** Set by the address bar, or of no use to a person. */
const LEFT_OUT: ReadonlySet<string> = new Set(["url", "uploadRef", "origin", "integration", "useMock"]);

/** Options that belong together. What no group names stands under Further. */
const GROUPS: readonly OptionGroup[] = [
  { title: "Formats", isOpen: true, names: ["formats"] },
  { title: "Documents", isOpen: true, names: ["parsers"] },
  { title: "Page", isOpen: true, names: ["onlyMainContent", "maxAge", "timeout", "waitFor", "mobile"] },
  {
    title: "Content",
    isOpen: false,
    names: ["onlyCleanContent", "includeTags", "excludeTags", "removeBase64Images", "redactPII"],
  },
  { title: "Actions", isOpen: false, names: ["actions"] },
  {
    title: "Visit",
    isOpen: false,
    names: ["headers", "location", "proxy", "profile", "blockAds", "skipTlsVerification", "fastMode"],
  },
  { title: "Cache", isOpen: false, names: ["storeInCache", "minAge", "lockdown"] },
  {
    title: "Safety",
    isOpen: false,
    names: ["zeroDataRetention", "safeMode", "checkPromptInjection", "threatProtection", "auditMetadata"],
  },
];

/** The groups with those of their options that the schema has, and at last everything that no group names. */
export function groupsOf({ properties = {} }: JsonSchema): readonly OptionGroup[] {
  const named = new Set(GROUPS.flatMap(({ names }) => names));
  const further = Object.keys(properties).filter((name) => !named.has(name) && !LEFT_OUT.has(name));
  return [...GROUPS, { title: "Further", isOpen: false, names: further }]
    .map((group) => ({ ...group, names: group.names.filter((name) => properties[name] !== undefined) }))
    .filter(({ names }) => names.length > 0);
}
