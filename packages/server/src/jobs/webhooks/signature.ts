import { createHmac, randomBytes } from "node:crypto";

import { ConflictError } from "../../api/errors.ts";
import { forEachInTurns } from "@pergamon-dev/kit/loop/in-turns";
import type { Statements } from "../../storage/database/database.ts";
import type { Secrets } from "../../storage/secrets/secrets.ts";

const SECRET_BYTES = 32;

/**
 * Value of the signature header: `sha256=` and the HMAC of the raw body. Other work gets its turn between the
 * pieces.
 */
export async function signatureOf(
  body: readonly Uint8Array[],
  secret: string,
  signal: AbortSignal,
): Promise<string> {
  const hmac = createHmac("sha256", secret);
  await forEachInTurns(body, signal, (piece) => hmac.update(piece));
  return `sha256=${hmac.digest("hex")}`;
}

/** Secrets that sign the webhooks, one per team, created on first use. */
export class WebhookSecrets {
  readonly #statements: Statements;
  readonly #secrets: Pick<Secrets, "seal" | "open">;
  readonly #given: string | undefined;

  /** @param given secret of the operator, in open mode. It holds for all teams. */
  constructor(statements: Statements, secrets: Pick<Secrets, "seal" | "open">, given?: string) {
    this.#statements = statements;
    this.#secrets = secrets;
    this.#given = given;
  }

  async of(teamId: string): Promise<string> {
    if (this.#given !== undefined) return this.#given;
    const made = this.#sealed(teamId, newSecret());
    await this.#statements
      .prepared(
        `INSERT INTO webhook_secrets (team_id, secret, created_at) VALUES (?, ?, ?)
         ON CONFLICT (team_id) DO NOTHING`,
      )
      .run(teamId, made, Date.now());
    const row = await this.#statements
      .prepared<{ secret: string }>("SELECT secret FROM webhook_secrets WHERE team_id = ?")
      .get(teamId);
    if (!row) throw new Error("The team was deleted.");
    const opened = this.#secrets.open(Buffer.from(row.secret, "base64"), purposeOf(teamId));
    return Buffer.from(opened).toString("utf8");
  }

  /** Signatures with the old secret become invalid. @returns the new secret. */
  async rotate(teamId: string): Promise<string> {
    if (this.#given !== undefined)
      throw new ConflictError("The secret is set by WEBHOOK_SECRET: change it there.");
    const secret = newSecret();
    await this.#statements
      .prepared(
        `INSERT INTO webhook_secrets (team_id, secret, created_at) VALUES (?, ?, ?)
         ON CONFLICT (team_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at`,
      )
      .run(teamId, this.#sealed(teamId, secret), Date.now());
    return secret;
  }

  #sealed(teamId: string, secret: string): string {
    return Buffer.from(this.#secrets.seal(Buffer.from(secret), purposeOf(teamId))).toString("base64");
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

function purposeOf(teamId: string): string {
  return `webhook-secret:${teamId}`;
}
