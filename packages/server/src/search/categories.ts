import type { SearchCategory } from "./request.ts";

/** Pages of a category, as operators for engines, and by their URL. */
interface CategoryRule {
  readonly operators: readonly string[];
  includes(url: URL): boolean;
}

const RESEARCH_HOSTS = [
  "arxiv.org",
  "nature.com",
  "pubmed.ncbi.nlm.nih.gov",
  "ieeexplore.ieee.org",
  "dl.acm.org",
  "sciencedirect.com",
  "link.springer.com",
  "semanticscholar.org",
];
const DEVELOPER_HOSTS = [
  "github.com",
  "developer.mozilla.org",
  "readthedocs.io",
  "docs.rs",
  "stackoverflow.com",
];

/** One line per category. */
const rules: Readonly<Record<SearchCategory, CategoryRule>> = {
  github: hosts(["github.com"]),
  research: hosts(RESEARCH_HOSTS),
  developer: hosts(DEVELOPER_HOSTS),
  pdf: { operators: ["filetype:pdf"], includes: ({ pathname }) => /\.pdf$/i.test(pathname) },
  gov: { operators: ["site:.gov"], includes: ({ hostname }) => /\.gov(?:\.[a-z]{2})?$/i.test(hostname) },
};

/** Operators of which at least one must match. */
export function operatorsOf(categories: readonly SearchCategory[]): readonly string[] {
  return [...new Set(categories.flatMap((category) => rules[category].operators))];
}

/** First of the categories that a page belongs to. */
export function categoryOf(url: URL, categories: readonly SearchCategory[]): SearchCategory | undefined {
  return categories.find((category) => rules[category].includes(url));
}

/** Whether a host is the domain or its subdomain. */
export function isOfDomain(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

function hosts(domains: readonly string[]): CategoryRule {
  return {
    operators: domains.map((domain) => `site:${domain}`),
    includes: ({ hostname }) => domains.some((domain) => isOfDomain(hostname, domain)),
  };
}
