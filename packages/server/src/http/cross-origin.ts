import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { ForbiddenError } from "../api/errors.ts";
import { hostNamesOf, isKnownHost } from "../net/guard/known-host.ts";
import { isLoopback } from "@pergamon-dev/kit/loopback";
import { originOf } from "@pergamon-dev/kit/origin";

/** Pages that open mode trusts besides those of this machine. */
export interface TrustedPages {
  /** URL by which clients reach the service. */
  readonly publicUrl: string | undefined;
  /** Origins in their canonical form. */
  readonly corsOrigins: readonly string[];
}

/** Other sites may not use the operator's interface. */
const NOT_SHARED = /^\/admin(?:\/|$)/;
/** Pages that links of other sites may open, because opening them only displays something. */
const PAGES = /^\/(?:docs|dashboard(?:\/[^?]*)?|live\/[^?]*|v2\/(?:files|monitor-mail)\/[^?]*)?(?:\?|$)/;

const MAX_QUOTE_LENGTH = 200;

/**
 * Decides which pages of other origins may use the service. With keys, all may: keys travel in a header,
 * never in a cookie (contract, section 1.0). Without keys, any page that the operator visits could do all
 * that the operator can, so only pages of this machine and the operator's own may (decision C-39).
 */
export class CrossOrigin {
  readonly #trusted: TrustedPages | undefined;
  readonly #publicHost: string | undefined;
  readonly #names: ReadonlySet<string>;
  #lastKnownHost: string | undefined;

  /** @param trusted when undefined, every page is trusted. */
  constructor(trusted: TrustedPages | undefined) {
    this.#trusted = trusted;
    const publicUrl = trusted?.publicUrl === undefined ? undefined : new URL(trusted.publicUrl);
    this.#publicHost = publicUrl?.host;
    this.#names = hostNamesOf([...(publicUrl ? [publicUrl.href] : []), ...(trusted?.corsOrigins ?? [])]);
  }

  /** Refuses requests, answers preflights, and lets browsers show responses to the permitted pages. */
  watch(app: FastifyInstance): void {
    app.addHook("onRequest", (request, reply, done) => {
      const isShared = this.share(request, reply);
      const refusal = this.#refusal(request);
      if (refusal !== undefined) return done(new ForbiddenError(`Forbidden: ${refusal}`));
      if (!isShared || request.method !== "OPTIONS") return done();
      answerPreflight(request, reply);
    });
  }

  /** Sets the origins that may read the response. @returns false for paths that no other site may read. */
  share({ url, headers: { origin } }: FastifyRequest, reply: FastifyReply): boolean {
    if (NOT_SHARED.test(url)) return false;
    reply.header(...this.header);
    const isForIt = this.#trusted && origin !== undefined && this.#isGood(origin);
    if (isForIt) reply.header("access-control-allow-origin", origin);
    return true;
  }

  /** Name and value of the header on every shared response. */
  get header(): readonly [string, string] {
    return this.#trusted ? ["vary", "Origin"] : ["access-control-allow-origin", "*"];
  }

  /** Says whether the service has this name. Every name is accepted where all pages may use it. */
  isOwnName(host: string | undefined): boolean {
    return !this.#trusted || (host !== undefined && this.#isKnown(host));
  }

  /** Most requests use the same name, which takes as long to parse as the rest of a small response. */
  #isKnown(host: string): boolean {
    if (host === this.#lastKnownHost) return true;
    const isKnown = isKnownHost(host, this.#names);
    if (isKnown) this.#lastKnownHost = host;
    return isKnown;
  }

  /** Reason to refuse the request; undefined when it is permitted. */
  #refusal({ method, originalUrl, headers }: FastifyRequest): string | undefined {
    if (!this.#trusted) return undefined;
    const { origin, host, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
    if (host !== undefined && !this.#isKnown(host)) return unknownName(host);
    if (mode === "navigate" && method === "GET" && PAGES.test(originalUrl)) return undefined;
    const isStrange = origin === undefined ? site === "cross-site" : !this.#isGood(origin);
    return isStrange ? strangePage(origin) : undefined;
  }

  #isGood(text: string): boolean {
    const origin = originOf(text);
    if (origin === undefined) return false;
    const { host, hostname } = new URL(origin);
    const isOwn = isLoopback(hostname) || host === this.#publicHost;
    return isOwn || this.#trusted?.corsOrigins.includes(origin) === true;
  }
}

function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply): void {
  const requested = headers["access-control-request-headers"];
  reply
    .header("access-control-allow-methods", "GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS")
    .header(
      "access-control-allow-headers",
      requested ?? "authorization,content-type,x-request-id,x-idempotency-key",
    )
    .header("access-control-max-age", "86400")
    .code(204)
    .send();
}

function strangePage(origin: string | undefined): string {
  const pages = origin === undefined ? "pages from other origins" : `pages from ${quote(origin)}`;
  return `${pages} are not allowed to use this service because it requires no key. Add their origin to CORS_ORIGINS, or set AUTH=keys.`;
}

function unknownName(host: string): string {
  return `the host name ${quote(host)} is not allowed. Use the IP address or localhost, or add the name to PUBLIC_URL or CORS_ORIGINS.`;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, MAX_QUOTE_LENGTH));
}
