import type { FastifyRequest } from "fastify";

import type { OperatorSessions } from "../accounts/operator-sessions.ts";
import { ForbiddenError, UnauthorizedError } from "../api/errors.ts";
import { originOf } from "@pergamon-dev/kit/origin";
import { isKnownHost } from "../net/guard/known-host.ts";
import { DASHBOARD_HEADER, sessionCookieAt } from "./logins.ts";
import type { OperatorLogin } from "./operator-login.ts";

interface DoorOptions {
  readonly login: OperatorLogin;
  readonly sessions: OperatorSessions;
  /** Host names of the service, besides IP addresses and localhost. */
  readonly names: ReadonlySet<string>;
  readonly publicUrl: string | undefined;
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const MAX_QUOTE_LENGTH = 200;

/**
 * Authenticates the operator: by the key in a header, which scripts send, or by the cookie of a logged-in
 * browser.
 */
export class OperatorAuth {
  readonly #login: OperatorLogin;
  readonly #sessions: OperatorSessions;
  readonly #names: ReadonlySet<string>;
  readonly #publicOrigin: string | undefined;

  constructor({ login, sessions, names, publicUrl }: DoorOptions) {
    this.#login = login;
    this.#sessions = sessions;
    this.#names = names;
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /**
   * @throws UnauthorizedError unless the request carries the operator's key or the cookie of a live session.
   * @throws ForbiddenError when a page of another site may have made the request.
   */
  async require(request: FastifyRequest): Promise<void> {
    const { authorization } = request.headers;
    if (authorization !== undefined) return this.#login.require(request);
    if (request.headers.cookie === undefined) throw new UnauthorizedError("Unauthorized");
    this.requireOwnPage(request);
    const secret = sessionSecretOf(request);
    if (secret === undefined) throw new UnauthorizedError("Unauthorized");
    request.operatorSession = await this.#sessions.find(secret);
    if (!request.operatorSession)
      throw new UnauthorizedError("Unauthorized: the login has expired. Log in again.");
    request.operator = request.operatorSession.operator;
  }

  /**
   * Browsers send cookies with requests that any page makes. So a request that changes something must come
   * from a page of this service, and its host must not be a foreign name that resolves to this address (DNS
   * rebinding).
   * @throws ForbiddenError for other pages.
   */
  requireOwnPage({ method, host, headers }: FastifyRequest): void {
    if (!isKnownHost(host, this.#names)) throw new ForbiddenError(unknownName(host));
    const { origin, "sec-fetch-site": site } = headers;
    const isStrange = origin === undefined ? !isOwnSite(site) : !this.#isOwn(origin, host);
    if (isStrange) throw new ForbiddenError("Forbidden: only pages of this service may call this.");
    if (READS.has(method)) return;
    if (origin === undefined || headers[DASHBOARD_HEADER.name] !== DASHBOARD_HEADER.value) {
      throw new ForbiddenError(
        `Forbidden: changes with a dashboard login require the headers Origin and ${DASHBOARD_HEADER.name}: ${DASHBOARD_HEADER.value}.`,
      );
    }
  }

  #isOwn(text: string, host: string): boolean {
    const origin = originOf(text);
    if (origin === undefined) return false;
    return origin === this.#publicOrigin || new URL(origin).host === host.toLowerCase();
  }
}

/** Undefined without a cookie, and with several of them, as one may be foreign. */
function sessionSecretOf({
  protocol,
  host,
  headers: { cookie = "" },
}: Pick<FastifyRequest, "protocol" | "host" | "headers">): string | undefined {
  const name = sessionCookieAt(URL.parse(`${protocol}://${host}`)?.host ?? "");
  const pairs = cookie.split(";").map((pair) => pair.trim());
  const values = pairs.filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}

/**
 * `none` means that the user entered the address. Browsers that omit the header respect `SameSite=Strict`
 * too.
 */
function isOwnSite(site: unknown): boolean {
  return site === undefined || site === "same-origin" || site === "none";
}

function unknownName(host: string): string {
  const name = JSON.stringify(host.slice(0, MAX_QUOTE_LENGTH));
  return `Forbidden: the host name ${name} is not allowed. Use the IP address or localhost, or set PUBLIC_URL to this name.`;
}
