import { setTimeout as wait } from "node:timers/promises";

import type { FastifyRequest } from "fastify";

import { UnauthorizedError } from "../api/errors.ts";
import type { AdminKey } from "./admin-key.ts";

/** So many wrong keys may be a mistake; the answer to each further one waits. */
const FREE_FAILURES = 10;
const DELAY_MS = 1000;
/** So long after the last wrong key all is forgotten. */
const MEMORY_MS = 10 * 60 * 1000;

interface LoginOptions {
  readonly adminKey: AdminKey;
  readonly delayMs?: number;
  readonly clock?: () => number;
}

/**
 * Lets the operator in. Wrong keys are logged and, when many come, answered late: all are counted together,
 * because who guesses has many addresses, and a right key never waits.
 */
export class OperatorLogin {
  readonly #adminKey: AdminKey;
  readonly #delayMs: number;
  readonly #clock: () => number;
  #failures = 0;
  #failedAtMs = 0;

  constructor({ adminKey, delayMs = DELAY_MS, clock = Date.now }: LoginOptions) {
    this.#adminKey = adminKey;
    this.#delayMs = delayMs;
    this.#clock = clock;
  }

  /**
   * @param isOtherKey what else opens this door.
   * @throws UnauthorizedError unless the request carries the operator's key, or the other one.
   */
  async require(
    { headers: { authorization }, ip, id, log }: FastifyRequest,
    isOtherKey: (token: string) => boolean = () => false,
  ): Promise<void> {
    if (authorization === undefined) throw new UnauthorizedError("Unauthorized");
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (token !== undefined && (this.#adminKey.isValid(token) || isOtherKey(token))) return;
    const failures = this.#countFailure();
    log.warn({ requestId: id, address: ip, failures }, "An operator login failed.");
    if (failures > FREE_FAILURES) await wait(this.#delayMs, undefined, { ref: false });
    throw new UnauthorizedError(token === undefined ? "Unauthorized" : "Unauthorized: Invalid token");
  }

  /** @returns how many there were lately. */
  #countFailure(): number {
    const nowMs = this.#clock();
    if (nowMs - this.#failedAtMs > MEMORY_MS) this.#failures = 0;
    this.#failedAtMs = nowMs;
    this.#failures += 1;
    return this.#failures;
  }
}
