import type { AuditLog } from "../accounts/audit.ts";
import { ServiceError } from "../contract/errors.ts";
import type { AlertSettings, AlertsAnswer, AlertTestAnswer } from "../contract/operator/alerts.ts";
import { uuidV7 } from "../kit/uuid.ts";
import type { Database } from "../platform/database/database.ts";
import type { TeamData } from "../stores/team-data.ts";
import type { AlertDelivery } from "./alert-delivery.ts";
import { deleteOldMessages, eraseTeamAlerts, listAlerts, listMessages } from "./alert-rows.ts";
import type { AlertStore, StoredAlertSettings } from "./alert-store.ts";
import { channelsOf } from "./alert-watch.ts";
import { noticeOf } from "./notice.ts";

interface AlertDeskParts {
  readonly database: Database;
  readonly store: AlertStore;
  readonly delivery: Pick<AlertDelivery, "send">;
  readonly audit: Pick<AuditLog, "write">;
  readonly canMail: boolean;
  readonly clock: () => number;
}

type Shown = AlertsAnswer["data"];

const MAX_ALERTS = 200;
const MAX_MESSAGES = 50;
const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** What an operator sees of alerts, and can do about them. */
export class AlertDesk {
  readonly #parts: AlertDeskParts;

  constructor(parts: AlertDeskParts) {
    this.#parts = parts;
  }

  async show(secret: string | null = null): Promise<Shown> {
    const { database, store, canMail } = this.#parts;
    const { version, rules, webhook, mail } = await store.read();
    const alerts = await listAlerts(database, MAX_ALERTS);
    const messages = await listMessages(database, MAX_MESSAGES);
    return {
      version: String(version),
      rules,
      webhook: webhook && { origin: new URL(webhook.url).origin },
      secret,
      mail: [...mail],
      canMail,
      alerts: alerts.map(({ cause, title, detail, beganAtMs }) => ({
        cause,
        title,
        detail,
        since: timeOf(beganAtMs),
      })),
      messages: messages.map(({ body: _body, createdAtMs, endedAtMs, ...message }) => ({
        ...message,
        createdAt: timeOf(createdAtMs),
        endedAt: endedAtMs === null ? null : timeOf(endedAtMs),
      })),
    };
  }

  /** @throws ChangedMeanwhileError; ServiceError BAD_REQUEST for mail without a mail server. */
  async change(settings: AlertSettings, expected: string | undefined): Promise<Shown> {
    const { store, audit, canMail } = this.#parts;
    if (settings.mail.length > 0 && !canMail) {
      throw new ServiceError("BAD_REQUEST", {
        message: "No mail server is set: set SMTP_URL and MAIL_FROM, or remove the recipients.",
      });
    }
    const { before, secret } = await store.change(settings, expected);
    const details = { ...auditable(await store.read()), before: auditable(before) };
    await audit.write({ kind: "alerts.changed", details });
    return this.show(secret);
  }

  /** Sends a message by every channel at once, for any alert. */
  async test(signal: AbortSignal): Promise<AlertTestAnswer["data"]> {
    const { store, delivery, clock } = this.#parts;
    const settings = await store.read();
    const nowMs = clock();
    const trial = { cause: "test", title: "Test of alerts", detail: "Everything is in order." };
    const notice = noticeOf([{ ...trial, state: "began", sinceMs: nowMs }], nowMs);
    const results = channelsOf(settings).map(async (channel) => {
      const letter = { ...notice, id: uuidV7(nowMs), channel, type: "alert.test" as const };
      try {
        return { channel, ok: true, detail: await delivery.send(letter, settings, signal) };
      } catch (failure) {
        const detail = failure instanceof Error ? failure.message : String(failure);
        return { channel, ok: false, detail };
      }
    });
    return { results: await Promise.all(results) };
  }
}

/** Messages of alerts, as far as they are deleted. */
export function keptAlerts(database: Database, clock: () => number): TeamData {
  return {
    erase: (teamId) => eraseTeamAlerts(database, teamId),
    prune: () => deleteOldMessages(database, clock() - RETENTION_MS),
  };
}

/** Without what is secret of it. */
function auditable({ rules, webhook, mail }: StoredAlertSettings) {
  return { rules, webhook: webhook && new URL(webhook.url).origin, recipients: mail.length };
}

function timeOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
