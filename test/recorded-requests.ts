import { expect } from "vitest";

/** The address of a page of the site that the tests show. */
type At = (path: string) => string;

/** A request as an application sends it, and what that application reads of the answer. */
export interface RecordedRequest {
  readonly client: string;
  readonly line: string;
  readonly body: (at: At) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the answer, or for a job of its end. */
  readonly reads: (at: At) => object;
  /** Where the job is followed, before its id. */
  readonly follows?: string;
}

const text = (part: string) => expect.stringContaining(part) as string;
const any = (type: NumberConstructor | StringConstructor) => expect.any(type) as unknown;
const listed = (...items: readonly object[]) =>
  expect.arrayContaining(items.map((item) => expect.objectContaining(item) as object)) as object[];

const TITLE = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };

const HARBOUR = { markdown: text("# Harbour"), metadata: { title: "Harbour", description: "A harbour" } };
/** What the Python client adds to a scrape. */
const PYTHON_SCRAPE = {
  onlyMainContent: true,
  skipTlsVerification: true,
  removeBase64Images: true,
  fastMode: false,
  blockAds: true,
  storeInCache: true,
  maxAge: 14_400_000,
  mobile: false,
};
/** What it adds to a crawl. */
const PYTHON_CRAWL = {
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  crawlEntireDomain: false,
  allowExternalLinks: false,
  allowSubdomains: false,
  ignoreRobotsTxt: false,
  regexOnFullURL: false,
  zeroDataRetention: false,
};
const ENDED_CRAWL = { status: "completed", total: 2, completed: 2, creditsUsed: any(Number) };

/** Two integrations that use the Python client in the same way. */
function pythonRequests(client: string, labels: object): readonly RecordedRequest[] {
  return [
    {
      client,
      line: "POST /v2/scrape",
      body: (at) => ({ url: at("/harbour/"), ...PYTHON_SCRAPE, formats: ["markdown"], ...labels }),
      reads: () => ({ success: true, data: HARBOUR }),
    },
    {
      client,
      line: "POST /v2/crawl",
      body: (at) => ({ url: at("/harbour/"), ...PYTHON_CRAWL, limit: 2, ...labels }),
      follows: "/v2/crawl",
      reads: () => ({ ...ENDED_CRAWL, data: listed({ markdown: text("# Harbour") }) }),
    },
    {
      client,
      line: "POST /v2/map",
      body: (at) => ({ url: at("/harbour/"), sitemap: "include", search: "pier", ...labels }),
      reads: (at) => ({
        links: listed({ url: at("/harbour/"), title: "Harbour" }, { url: at("/harbour/a") }),
      }),
    },
    {
      client,
      line: "POST /v2/search",
      body: () => ({ query: "harbour piers", limit: 2, ...labels }),
      reads: (at) => ({
        data: { web: listed({ url: at("/harbour/"), title: "Harbour", description: text("") }) },
      }),
    },
    {
      client,
      line: "POST /v2/extract",
      body: (at) => ({ urls: [at("/harbour/")], schema: TITLE, showSources: true, ...labels }),
      follows: "/v2/extract",
      reads: (at) => ({ data: { title: "Harbour" }, sources: { title: [at("/harbour/")] } }),
    },
  ];
}

const langChain: readonly RecordedRequest[] = [
  ...pythonRequests("LangChain for Python", {
    integration: "langchain",
    origin: "python-sdk.langchain-firecrawl@4.53.2",
  }),
  {
    client: "LangChain for JavaScript",
    line: "POST /v1/scrape",
    body: (at) => ({ url: at("/harbour/"), formats: ["markdown"], origin: "js-sdk@1.25.1" }),
    reads: () => ({ success: true, data: HARBOUR }),
  },
  {
    client: "LangChain for JavaScript",
    line: "POST /v1/crawl",
    body: (at) => ({ url: at("/harbour/"), limit: 2, origin: "js-sdk@1.25.1" }),
    follows: "/v1/crawl",
    reads: () => ({ success: true, ...ENDED_CRAWL, data: listed({ markdown: text("# Harbour") }) }),
  },
  {
    client: "LangChain for JavaScript",
    line: "POST /v1/map",
    body: (at) => ({ url: at("/harbour/"), origin: "js-sdk@1.25.1" }),
    reads: (at) => ({ success: true, links: expect.arrayContaining([at("/harbour/a")]) as string[] }),
  },
];

const n8n: readonly RecordedRequest[] = [
  {
    client: "n8n",
    line: "POST /v2/scrape",
    body: (at) => ({ url: at("/harbour/") }),
    reads: () => ({ success: true, data: HARBOUR }),
  },
  {
    client: "n8n",
    line: "POST /v2/batch/scrape",
    body: (at) => ({ urls: [at("/harbour/"), at("/harbour/a")] }),
    follows: "/v2/batch/scrape",
    reads: () => ENDED_CRAWL,
  },
  {
    client: "n8n",
    line: "POST /v2/crawl",
    body: (at) => ({
      url: at("/harbour/"),
      prompt: "",
      limit: 2,
      delay: 0,
      maxConcurrency: 100,
      excludePaths: ["/private.*"],
      includePaths: [],
      ignoreSitemap: true,
      allowExternalLinks: false,
    }),
    follows: "/v2/crawl",
    reads: () => ENDED_CRAWL,
  },
  {
    client: "n8n",
    line: "POST /v2/map",
    body: (at) => ({
      url: at("/harbour/"),
      sitemap: "include",
      includeSubdomains: false,
      limit: 5000,
      timeout: 10_000,
    }),
    reads: (at) => ({ success: true, links: listed({ url: at("/harbour/a") }) }),
  },
  {
    client: "n8n",
    line: "POST /v2/search",
    body: () => ({ query: "harbour piers", sources: [{ type: "web" }], timeout: 60_000, limit: 5, tbs: "" }),
    reads: (at) => ({ success: true, data: { web: listed({ url: at("/harbour/") }) } }),
  },
  {
    client: "n8n",
    line: "POST /v2/extract",
    body: (at) => ({
      urls: [at("/harbour/")],
      prompt: "title",
      schema: TITLE,
      ignoreSitemap: true,
      includeSubdomains: false,
      enableWebSearch: false,
      showSources: false,
    }),
    follows: "/v2/extract",
    reads: () => ({ status: "completed", data: { title: "Harbour" } }),
  },
];

const dify: readonly RecordedRequest[] = [
  {
    client: "Dify's check of the data source",
    line: "POST /v1/crawl",
    body: (at) => ({
      url: at("/harbour/"),
      includePaths: [],
      excludePaths: [],
      limit: 1,
      scrapeOptions: { onlyMainContent: true },
    }),
    reads: () => ({ success: true, id: any(String) }),
  },
  {
    client: "Dify's data source",
    line: "POST /v2/crawl",
    body: (at) => ({
      url: at("/harbour/"),
      maxDiscoveryDepth: 2,
      limit: 2,
      scrapeOptions: { onlyMainContent: true },
    }),
    follows: "/v2/crawl",
    reads: (at) => ({
      ...ENDED_CRAWL,
      data: listed({
        markdown: text("# Harbour"),
        metadata: expect.objectContaining({ title: "Harbour", sourceURL: at("/harbour/") }) as object,
      }),
    }),
  },
  {
    client: "Dify's crawl tool",
    line: "POST /v2/crawl",
    body: (at) => ({
      url: at("/harbour/"),
      sitemap: "skip",
      limit: 2,
      allowBackwardLinks: false,
      allowExternalLinks: false,
      scrapeOptions: { onlyMainContent: false, waitFor: 0 },
    }),
    follows: "/v2/crawl",
    reads: () => ENDED_CRAWL,
  },
  {
    client: "Dify's map tool",
    line: "POST /v2/map",
    body: (at) => ({
      url: at("/harbour/"),
      search: null,
      ignoreSitemap: true,
      includeSubdomains: false,
      limit: 5000,
    }),
    reads: (at) => ({ success: true, links: listed({ url: at("/harbour/a") }) }),
  },
  {
    client: "Dify's scrape tool",
    line: "POST /v2/scrape",
    body: (at) => ({
      url: at("/harbour/"),
      onlyMainContent: true,
      waitFor: 0,
      timeout: 30_000,
      formats: ["markdown", { type: "json", schema: TITLE, systemPrompt: "Be brief.", prompt: "The title" }],
    }),
    reads: () => ({ data: { ...HARBOUR, json: { title: "Harbour" } } }),
  },
];

const flowise: readonly RecordedRequest[] = [
  {
    client: "Flowise",
    line: "POST /v1/scrape",
    body: (at) => ({
      url: at("/harbour/"),
      formats: ["markdown"],
      onlyMainContent: true,
      includeTags: ["main"],
      jsonOptions: { schema: TITLE, prompt: "The title" },
      integration: "flowise",
    }),
    reads: () => ({ success: true, data: HARBOUR }),
  },
  {
    client: "Flowise",
    line: "POST /v1/crawl",
    body: (at) => ({
      url: at("/harbour/"),
      limit: 2,
      includePaths: ["/.*"],
      scrapeOptions: { formats: ["markdown"], onlyMainContent: true, mobile: false },
      integration: "flowise",
    }),
    follows: "/v1/crawl",
    reads: () => ({ ...ENDED_CRAWL, data: listed({ markdown: text("# Harbour") }) }),
  },
  {
    client: "Flowise",
    line: "POST /v1/extract",
    body: (at) => ({
      urls: [at("/harbour/")],
      prompt: "The title",
      schema: TITLE,
      enableWebSearch: false,
      includeSubdomains: false,
      showSources: false,
      scrapeOptions: { formats: ["markdown"], onlyMainContent: true, jsonOptions: {}, timeout: 30_000 },
      integration: "flowise",
    }),
    follows: "/v1/extract",
    reads: () => ({ success: true, status: "completed", data: { title: "Harbour" }, expiresAt: any(String) }),
  },
  {
    client: "Flowise",
    line: "POST /v1/search",
    body: () => ({
      query: "harbour piers",
      limit: 2,
      lang: "en",
      country: "us",
      timeout: 60_000,
      integration: "flowise",
    }),
    reads: (at) => ({
      success: true,
      data: listed({ url: at("/harbour/"), title: "Harbour", description: text("") }),
    }),
  },
];

const chatFrontEnds: readonly RecordedRequest[] = [
  {
    client: "LobeChat without a key",
    line: "POST /v2/scrape",
    headers: { authorization: "" },
    body: (at) => ({ formats: ["markdown"], url: at("/harbour/") }),
    reads: () => ({ data: HARBOUR }),
  },
  {
    client: "LobeChat of last year",
    line: "POST /v1/scrape",
    body: (at) => ({ formats: ["markdown"], url: at("/harbour/") }),
    reads: () => ({ data: HARBOUR }),
  },
  {
    client: "LobeChat of last year",
    line: "POST /v1/search",
    body: () => ({ limit: 15, query: "harbour piers", tbs: "qdr:w" }),
    reads: (at) => ({ data: listed({ url: at("/harbour/"), title: "Harbour", description: text("") }) }),
  },
  {
    client: "open-webui",
    line: "POST /v2/scrape",
    body: (at) => ({
      url: at("/harbour/"),
      formats: ["markdown"],
      skipTlsVerification: false,
      removeBase64Images: true,
      timeout: 10_000,
    }),
    reads: () => ({ data: HARBOUR }),
  },
  {
    client: "open-webui",
    line: "POST /v2/search",
    body: () => ({ query: "harbour piers", limit: 3, timeout: 9000, ignoreInvalidURLs: true }),
    reads: (at) => ({ data: { web: listed({ url: at("/harbour/"), title: "Harbour" }) } }),
  },
];

export const recordedRequests: readonly RecordedRequest[] = [
  ...langChain,
  ...pythonRequests("LlamaIndex", { integration: "llamaindex", origin: "python-sdk@4.53.2" }),
  ...n8n,
  ...dify,
  ...flowise,
  ...chatFrontEnds,
];
