import type { Caller } from "../../accounts/callers.ts";
import { ServiceError } from "../../api/errors.ts";
import type { Database } from "../../storage/database/database.ts";
import type { Provider, Terms } from "../catalogue/provider.ts";

interface Acceptance {
  readonly provider: string;
  readonly version: string;
  readonly digest: string;
}

/** Stores the terms that teams have accepted. */
export class AcceptedTerms {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * @throws ServiceError THIRD_PARTY_DATA_TERMS_REQUIRED for the first provider whose terms are not accepted.
   */
  async require(caller: Caller, providers: Iterable<Provider>): Promise<void> {
    for (const provider of providers) {
      const terms = await this.missing(caller, provider);
      if (terms) throw termsRequired(provider.id, terms);
    }
  }

  /** @returns the provider's terms that the team has not accepted; undefined when there are none. */
  async missing({ teamId, team }: Caller, { id, terms }: Provider): Promise<Terms | undefined> {
    if (!terms || team.flags.termsAccepted) return undefined;
    return (await this.#isAccepted(teamId, id, terms)) ? undefined : terms;
  }

  /**
   * @returns the Unix time of acceptance.
   * @throws ServiceError terms_changed when the terms differ from the provider's.
   */
  async accept(caller: Caller, { id, terms }: Provider, { version, digest }: Acceptance): Promise<number> {
    if (terms?.digest !== digest || terms.version !== version) throw new ServiceError("terms_changed");
    const nowMs = Date.now();
    await this.#database
      .prepared(
        `INSERT INTO provider_terms (team_id, provider, digest, accepted_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (team_id, provider) DO UPDATE SET digest = excluded.digest, accepted_at = excluded.accepted_at`,
      )
      .run(caller.teamId, id, digest, nowMs);
    return nowMs;
  }

  /** Teams that have accepted exactly these terms, with the time of acceptance. */
  async acceptedBy(
    provider: string,
    digest: string,
  ): Promise<readonly { readonly teamId: string; readonly acceptedAtMs: number }[]> {
    return this.#database
      .prepared<{ teamId: string; acceptedAtMs: number }>(
        `SELECT team_id AS "teamId", accepted_at AS "acceptedAtMs" FROM provider_terms
         WHERE provider = ? AND digest = ? ORDER BY accepted_at`,
      )
      .all(provider, digest);
  }

  async #isAccepted(teamId: string, provider: string, { digest }: Terms): Promise<boolean> {
    const row = await this.#database
      .prepared("SELECT 1 AS found FROM provider_terms WHERE team_id = ? AND provider = ? AND digest = ?")
      .get(teamId, provider, digest);
    return row !== undefined;
  }
}

function termsRequired(provider: string, { version, url }: Terms): ServiceError {
  return new ServiceError("THIRD_PARTY_DATA_TERMS_REQUIRED", {
    message: `The terms of ${provider} must be accepted first. Read them with terms/show, then call terms/accept.`,
    requiresAction: true,
    details: { type: "accept_terms", terms: provider, version, url },
  });
}
