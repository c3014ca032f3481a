import { setTimeout as wait } from "node:timers/promises";

import type { FastifyRequest } from "fastify";

import type { Operators } from "../accounts/operators.ts";
import { UnauthorizedError } from "../api/errors.ts";
import type { AdminKey } from "./admin-key.ts";

/** Wrong keys up to this number may be mistakes. The answer to each further one is delayed. */
const FREE_FAILURES = 10;
const DELAY_MS = 1000;
/** Failures are forgotten this long after the last one. */
const MEMORY_MS = 10 * 60 * 1000;

interface LoginOptions {
  readonly adminKey: AdminKey;
  /** People with keys of their own. */
  readonly operators?: Pick<Operators, "find">;
  readonly delayMs?: number;
  readonly clock?: () => number;
}

/**
 * Checks the operator's key. Wrong keys are logged, and answered late when there are many. All failures count
 * together, because attackers have many addresses. A right key never waits.
 */
export class OperatorLogin {
  readonly #adminKey: AdminKey;
  readonly #operators: LoginOptions["operators"];
  readonly #delayMs: number;
  readonly #clock: () => number;
  #failures = 0;
  #failedAtMs = 0;

  constructor({ adminKey, operators, delayMs = DELAY_MS, clock = Date.now }: LoginOptions) {
    this.#adminKey = adminKey;
    this.#operators = operators;
    this.#delayMs = delayMs;
    this.#clock = clock;
  }

  /**
   * @param isOtherKey accepts further keys.
   * @throws UnauthorizedError unless the request carries the operator's key or another accepted one.
   */
  async require(
    request: FastifyRequest,
    isOtherKey: (token: string) => boolean = () => false,
  ): Promise<void> {
    const { ip, id, log } = request;
    const { authorization } = request.headers;
    if (authorization === undefined) throw new UnauthorizedError("Unauthorized");
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (token !== undefined && (this.#adminKey.isValid(token) || isOtherKey(token))) return;
    request.operator = token === undefined ? undefined : await this.#operators?.find(token);
    if (request.operator) return;
    const failures = this.#countFailure();
    log.warn({ requestId: id, address: ip, failures }, "An operator login failed.");
    if (failures > FREE_FAILURES) await wait(this.#delayMs, undefined, { ref: false });
    throw new UnauthorizedError(token === undefined ? "Unauthorized" : "Unauthorized: Invalid token");
  }

  /** @returns the number of recent failures. */
  #countFailure(): number {
    const nowMs = this.#clock();
    if (nowMs - this.#failedAtMs > MEMORY_MS) this.#failures = 0;
    this.#failedAtMs = nowMs;
    this.#failures += 1;
    return this.#failures;
  }
}
