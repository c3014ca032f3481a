import { randomBytes } from "node:crypto";

import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Statements } from "../storage/database/database.ts";
import type { MonitorServices } from "./services.ts";

/** Where recipients say what they want, with their token. */
export const MAIL_PATH = "/v2/monitor-mail";

export type SubscriptionStatus = "pending" | "confirmed" | "unsubscribed";

/** Whether an address wants the messages of a team. */
export interface Subscription {
  /** Opens the page where the recipient says so. */
  readonly token: string;
  readonly email: string;
  readonly status: SubscriptionStatus;
  /** `team`: of a domain whose addresses need not be asked. */
  readonly source: "team" | "opt_in";
  /** When it was asked last. */
  readonly askedAtMs: number | null;
}

/** Whose messages go where. */
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
/** An address that has not answered is asked again no sooner. */
const ASKED_AGAIN_MS = 7 * 24 * 60 * 60 * 1000;

/** How recipients stand. Those that are not known have not been asked. */
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

/** Writes down the recipients that are not known yet. @returns how all of them stand, and who is to be asked now. */
export async function noteRecipients(
  tx: Statements,
  { teamId, recipients }: Recipients,
  services: Pick<MonitorServices, "mailDomains" | "place">,
): Promise<{ readonly all: readonly Subscription[]; readonly asked: readonly Subscription[] }> {
  const nowMs = services.place.clock.now();
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

/** @param askedAtMs null when it could not be asked. */
export async function setAsked(
  statements: Statements,
  token: string,
  askedAtMs: number | null,
): Promise<void> {
  await statements
    .prepared("UPDATE mail_subscriptions SET asked_at = ? WHERE token = ?")
    .run(askedAtMs, token);
}

/** What the recipient has said; undefined when the token leads nowhere. */
export async function statusOfToken(
  statements: Statements,
  token: string,
): Promise<SubscriptionStatus | undefined> {
  const row = await statements
    .prepared<Pick<Row, "status">>("SELECT status FROM mail_subscriptions WHERE token = ?")
    .get(token);
  return row?.status;
}

/** The recipient says so. @returns whether there is one. */
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

/** Addresses themselves are stored sealed, with the monitors that name them. */
function hashOf(teamId: string, email: string): string {
  return sha256Hex(JSON.stringify([teamId, email.toLowerCase()]));
}
