import { signatureOf } from "../job-runs/webhooks/signature.ts";
import type { SendWebhook } from "../job-runs/webhooks/delivery.ts";
import type { Database } from "../platform/database/database.ts";
import type { Job, Work } from "../platform/jobs/jobs.ts";
import type { Mail } from "../platform/mail/mail.ts";
import { type Channel, endMessage, getMessage } from "./alert-rows.ts";
import type { AlertStore, StoredAlertSettings } from "./alert-store.ts";
import type { NoticeBody } from "./notice.ts";

export interface AlertDeliveryParts {
  readonly database: Database;
  readonly store: Pick<AlertStore, "read">;
  /** Through the guard. */
  readonly send: SendWebhook;
  /** Undefined while no mail server is set. */
  readonly mail: Mail | undefined;
  readonly signatureHeader: string;
  readonly userAgent: string;
  readonly clock: () => number;
}

/** A message on its way. */
interface Letter {
  readonly id: string;
  readonly channel: Channel;
  readonly type: "alert" | "alert.test";
  readonly title: string;
  readonly body: NoticeBody;
}

export const ALERT_JOB = "alert";
const SLOTS = 4;
/** A receiver that is down is tried for some hours. */
const BACKOFF_MS = [10_000, 60_000, 300_000, 900_000, 3_600_000, 7_200_000] as const;
const WEBHOOK_MS = 10_000;
const MAIL_MS = 60_000;

/** Sends messages, with retries. */
export class AlertDelivery {
  readonly #parts: AlertDeliveryParts;

  constructor(parts: AlertDeliveryParts) {
    this.#parts = parts;
  }

  work(): Work {
    return {
      kind: ALERT_JOB,
      slots: SLOTS,
      attempts: BACKOFF_MS.length + 1,
      backoffMs: (failures) => BACKOFF_MS[failures - 1] ?? BACKOFF_MS[0],
      run: (job, signal) => this.#run(job, signal),
      giveUp: (job, reason) => this.#end(job, reason),
    };
  }

  /** @returns what came of it, in words. @throws Error with the reason when the message was not taken. */
  async send(letter: Letter, settings: StoredAlertSettings, signal: AbortSignal): Promise<string> {
    return letter.channel === "mail"
      ? this.#mail(letter, settings, signal)
      : this.#post(letter, settings, signal);
  }

  async #run(job: Job, signal: AbortSignal): Promise<undefined> {
    const message = await getMessage(this.#parts.database, job.payload);
    if (message?.state !== "pending") return undefined;
    const body = JSON.parse(message.body) as NoticeBody;
    await this.send({ ...message, type: "alert", body }, await this.#parts.store.read(), signal);
    return this.#end(job, undefined);
  }

  async #end(job: Job, problem: string | undefined): Promise<undefined> {
    const { database, clock } = this.#parts;
    await database.transaction(async (inside) => {
      if (await job.end(inside)) await endMessage(inside, job.payload, { problem, nowMs: clock() });
    });
    return undefined;
  }

  async #post({ id, type, body }: Letter, { webhook }: StoredAlertSettings, signal: AbortSignal) {
    if (!webhook) throw new Error("No webhook is set any more.");
    const { send, signatureHeader, userAgent } = this.#parts;
    const text = JSON.stringify({ success: true, type, id, webhookId: id, ...body });
    const headers = {
      "content-type": "application/json",
      "user-agent": userAgent,
      [signatureHeader.toLowerCase()]: signatureOf(text, webhook.secret),
    };
    const limit = AbortSignal.timeout(WEBHOOK_MS);
    const letter = { url: new URL(webhook.url), headers, body: text };
    const status = await send(letter, AbortSignal.any([signal, limit])).catch((failure: unknown) => {
      signal.throwIfAborted();
      throw limit.aborted ? new Error(`No answer within ${WEBHOOK_MS / 1000} seconds.`) : inWords(failure);
    });
    if (status < 200 || status > 299) throw new Error(`The receiver answered with status ${status}.`);
    return `The receiver answered with status ${status}.`;
  }

  async #mail({ id, title, body }: Letter, settings: StoredAlertSettings, signal: AbortSignal) {
    const { mail } = this.#parts;
    const recipients = settings.mail;
    if (!mail) throw new Error("No mail server is set. Set SMTP_URL and MAIL_FROM.");
    if (recipients.length === 0) throw new Error("No recipient is set any more.");
    const limit = AbortSignal.any([signal, AbortSignal.timeout(MAIL_MS)]);
    await mail.send({ recipients, subject: `Pergamon: ${title}`, text: body.text, id }, limit);
    return `Recipients that the mail server took the message for: ${recipients.length}.`;
  }
}

/** The reason behind the reason, such as ECONNREFUSED. URLs are in neither. */
function inWords(failure: unknown): Error {
  if (!(failure instanceof Error)) return new Error(String(failure));
  const { code } = failure as { readonly code?: unknown };
  return failure.message === "" && typeof code === "string" ? new Error(code) : failure;
}
