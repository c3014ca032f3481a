import type { FastifyInstance } from "fastify";

import { ownProperty } from "@pergamon-dev/kit/own-property";

/** A family of the public interface that is not served here, and what there is instead (contract, section 7). */
interface MissingFamily {
  readonly name: string;
  readonly instead: string;
}

const USE_VERSION_2 = "Use version 2, such as POST /v2/scrape; /docs describes it.";
const ONE_BY_ONE = "Scrape pages one by one with POST /v2/scrape";

/** By the first part of the path behind the version. */
const missingFamilies: Readonly<Record<string, MissingFamily>> = {
  agent: { name: "Agent", instead: `${ONE_BY_ONE}; its format links lists the pages to visit next.` },
  monitor: {
    name: "Monitor",
    instead: "Scrape the page regularly with POST /v2/scrape and maxAge 0.",
  },
  support: {
    name: "Support",
    instead: "Error messages say what to do; /docs lists all errors.",
  },
  keyless: { name: "Keyless access", instead: "Ask the operator of this service for a key." },
};

/** Answers what no route is there for, before its body is read: it may be anything. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    const never = neverServed.find(({ path }) => path.test(request.url));
    if (never) reply.code(501).send({ success: false, code: "NOT_IMPLEMENTED", error: never.sentence });
    else reply.code(404).send({ success: false, error: unknownRouteError(app, request.url) });
  });
}

/** What is never going to be served, and what there is instead. */
const neverServed: readonly { readonly path: RegExp; readonly sentence: string }[] = [
  {
    path: /^\/v2\/search\/developer(?:[/?]|$)/,
    sentence:
      "There is no index of code and documentation here. POST /v2/search with includeDomains searches the sites that you name.",
  },
  {
    path: /^\/v2\/search\/research(?:[/?]|$)/,
    sentence:
      'There is no index of papers here. POST /v2/search with categories ["research"] searches sites of science.',
  },
  {
    path: /^\/v2\/search\/gov(?:[/?]|$)/,
    sentence:
      'There is no index of authorities here. POST /v2/search with categories ["gov"] searches their sites.',
  },
  {
    path: /^\/v1\/deep-research(?:[/?]|$)/,
    sentence: "Deep research is not served here. Use POST /v2/search with scrapeOptions, page by page.",
  },
  {
    path: /^\/v1\/llmstxt(?:[/?]|$)/,
    sentence: "llms.txt is not made here. Use POST /v2/map, and the format summary of POST /v2/scrape.",
  },
];

/** Families that are served, with more routes elsewhere. */
const SESSIONS = /^\/v2\/(?:browser|interact)(?:[/?]|$)/;
const NO_SUCH_ROUTE = "Not Found: unknown route of browser sessions. /docs lists their routes.";

/** What is said of a path that nothing is served under. */
function unknownRouteError(app: FastifyInstance, url: string): string {
  const [, version = "", family = ""] = /^\/v(\d+)\/([^/?]+)/.exec(url) ?? [];
  if (SESSIONS.test(url)) return NO_SUCH_ROUTE;
  const missing = ownProperty(missingFamilies, family);
  if (missing && app.hasRoute({ method: "POST", url: `/v2/${family}` }))
    return `Not Found: unknown route of ${missing.name}. /docs lists its routes.`;
  if (missing) return `Not Found: ${missing.name} (/v2/${family}) is not available here. ${missing.instead}`;
  const isOtherVersion = version !== "" && version !== "2";
  return isOtherVersion
    ? `Not Found: version ${version} has no such route here. ${USE_VERSION_2}`
    : "Not Found";
}
