import { randomBytes } from "node:crypto";

import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Statements } from "../storage/database/database.ts";
import type { MonitorServices } from "./services.ts";

/** Path at which recipients subscribe and unsubscribe with their token. */
export const MAIL_PATH = "/v2/monitor-mail";

export type SubscriptionStatus = "pending" | "confirmed" | "unsubscribed";

/** Subscription of one address to the messages of a team. */
export interface Subscription {
  /** Opens the page at which the recipient decides. */
  readonly token: string;
  readonly email: string;
  readonly status: SubscriptionStatus;
  /** `team`: the domain of the address needs no confirmation. */
  readonly source: "team" | "opt_in";
  /** When the recipient was last asked. */
  readonly askedAtMs: number | null;
}

interface Recipients {
  readonly teamId: string;
  readonly recipients: readonly string[];
}

interface Row {
  readonly token: string;
  readonly status: SubscriptionStatus;
  readonly askedAtMs: number | null;
}

const TOKEN_BYTES = 24;
/** Minimum time before a recipient who has not answered is asked again. */
const ASKED_AGAIN_MS = 7 * 24 * 60 * 60 * 1000;

/** Subscriptions of recipients. Unknown recipients have not been asked. */
export async function subscriptionsOf(
  statements: Statements,
  { teamId, recipients }: Recipients,
  { mailDomains }: Pick<MonitorServices, "mailDomains">,
): Promise<readonly Subscription[]> {
  const found: Subscription[] = [];
  for (const email of new Set(recipients)) {
    const row = await statements
      .prepared<Row>(
        `SELECT token, status, asked_at AS "askedAtMs" FROM mail_subscriptions WHERE team_id = ? AND address_hash = ?`,
      )
      .get(teamId, hashOf(teamId, email));
    const { token = "", status = "pending", askedAtMs = null } = row ?? {};
    const isOfTeam = mailDomains.some(
      (domain) => domain === "*" || email.toLowerCase().endsWith(`@${domain}`),
    );
    const source = isOfTeam ? "team" : "opt_in";
    found.push({
      token,
      email,
      askedAtMs,
      source,
      status: isOfTeam && status === "pending" ? "confirmed" : status,
    });
  }
  return found;
}

/** Inserts unknown recipients. @returns the status of all, and the recipients to ask now. */
export async function noteRecipients(
  tx: Statements,
  { teamId, recipients }: Recipients,
  services: Pick<MonitorServices, "mailDomains" | "store">,
): Promise<{ readonly all: readonly Subscription[]; readonly asked: readonly Subscription[] }> {
  const nowMs = services.store.clock.now();
  for (const email of new Set(recipients)) {
    await tx
      .prepared(
        `INSERT INTO mail_subscriptions (token, team_id, address_hash, status, asked_at, changed_at)
         VALUES (?, ?, ?, 'pending', NULL, ?) ON CONFLICT (team_id, address_hash) DO NOTHING`,
      )
      .run(randomBytes(TOKEN_BYTES).toString("base64url"), teamId, hashOf(teamId, email), nowMs);
  }
  const all = await subscriptionsOf(tx, { teamId, recipients }, services);
  const asked = all.filter(
    ({ status, askedAtMs }) => status === "pending" && (askedAtMs ?? 0) <= nowMs - ASKED_AGAIN_MS,
  );
  for (const { token } of asked) await setAsked(tx, token, nowMs);
  return { all, asked };
}

/** @param askedAtMs null when the recipient could not be asked. */
export async function setAsked(
  statements: Statements,
  token: string,
  askedAtMs: number | null,
): Promise<void> {
  await statements
    .prepared("UPDATE mail_subscriptions SET asked_at = ? WHERE token = ?")
    .run(askedAtMs, token);
}

/** Decision of the recipient. Undefined for an unknown token. */
export async function statusOfToken(
  statements: Statements,
  token: string,
): Promise<SubscriptionStatus | undefined> {
  const row = await statements
    .prepared<Pick<Row, "status">>("SELECT status FROM mail_subscriptions WHERE token = ?")
    .get(token);
  return row?.status;
}

/** Stores the recipient's decision. @returns whether the token is known. */
export async function setStatusOfToken(
  statements: Statements,
  token: string,
  { status, nowMs }: { readonly status: SubscriptionStatus; readonly nowMs: number },
): Promise<boolean> {
  const changed = await statements
    .prepared("UPDATE mail_subscriptions SET status = ?, changed_at = ? WHERE token = ?")
    .run(status, nowMs, token);
  return changed === 1;
}

/** Only the hash is stored here. The addresses themselves are stored encrypted with their monitors. */
function hashOf(teamId: string, email: string): string {
  return sha256Hex(JSON.stringify([teamId, email.toLowerCase()]));
}
