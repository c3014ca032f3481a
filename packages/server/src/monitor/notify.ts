import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Statements } from "../storage/database/database.ts";
import type { QueuedTask, Work } from "../jobs/queue/task-queue.ts";
import type { MailMessage } from "../storage/mail/mail.ts";
import { firstNews, getDiff, type PageNews } from "./check-pages.ts";
import { type CheckRow, changeCheck, getCheck } from "./check-rows.ts";
import type { PageDiff } from "./compare-page.ts";
import type { Judgment } from "../api/monitor.ts";
import {
  MAIL_PATH,
  noteRecipients,
  setAsked,
  type Subscription,
  subscriptionsOf,
} from "./mail-subscriptions.ts";
import { getMonitor, type MonitorRow } from "./rows.ts";
import type { MonitorPlan } from "./request.ts";
import type { MonitorServices } from "./services.ts";

const MAIL = "monitor-mail";
const ATTEMPTS = 4;
/** A restarted mail server is available again within these times. */
const BACKOFF_MS = [60_000, 300_000, 900_000] as const;
const SLOTS = 4;
/** Messages of one team to all recipients together. */
const MESSAGES_PER_HOUR = 200;
const HOUR_MS = 3_600_000;
/** Pages that a message lists, and characters of a diff in it. */
const MAX_LISTED = 50;
const MAX_DIFF_LENGTH = 5000;

interface NotificationStatus {
  readonly email: "pending" | "sent" | "failed";
  readonly error?: string;
}

interface EndedCheck {
  readonly check: CheckRow;
  readonly plan: MonitorPlan;
}

type MailServices = Pick<MonitorServices, "mail" | "mailDomains" | "store">;

/** Queues a message for each recipient who wants it, if there is news. */
export async function notifyLater(
  tx: Statements,
  { check, plan }: EndedCheck,
  services: MailServices,
): Promise<void> {
  const { id: checkId, monitorId, teamId } = check;
  if (!wantsMail(plan, services) || !(await hasNews(tx, check))) return;
  const recipients = await askRecipients(tx, { id: monitorId, teamId, plan }, services);
  const ready = recipients.filter(({ status }) => status === "confirmed");
  if (ready.length === 0) return;
  await setStatus(tx, checkId, { email: "pending" });
  await services.store.queue.add(
    tx,
    ready.map(({ token }) => {
      return { kind: MAIL, group: `monitor ${monitorId}`, payload: payloadOf({ token, monitorId, checkId }) };
    }),
  );
}

/**
 * Asks recipients of a monitor who were not asked yet whether they want messages. @returns the status of all.
 */
export async function askRecipients(
  tx: Statements,
  { id: monitorId, teamId, plan }: Pick<MonitorRow, "id" | "teamId"> & { readonly plan: MonitorPlan },
  services: MailServices,
): Promise<readonly Subscription[]> {
  if (!wantsMail(plan, services)) return [];
  const recipients = plan.notification?.email?.recipients ?? [];
  const { all, asked } = await noteRecipients(tx, { teamId, recipients }, services);
  await services.store.queue.add(
    tx,
    asked.map(({ token }) => {
      return { kind: MAIL, group: `mail ${token}`, payload: payloadOf({ token, monitorId, checkId: "" }) };
    }),
  );
  return all;
}

function wantsMail({ notification }: MonitorPlan, { mail }: Pick<MonitorServices, "mail">): boolean {
  return mail !== undefined && notification?.email?.enabled === true;
}

interface QueuedMessage {
  /** Token of the recipient. */
  readonly token: string;
  readonly monitorId: string;
  /** Empty: the message asks whether the recipient wants messages. */
  readonly checkId: string;
}

function payloadOf({ token, monitorId, checkId }: QueuedMessage): string {
  return [token, monitorId, checkId].join(" ");
}

function queuedOf(payload: string): QueuedMessage {
  const [token = "", monitorId = "", checkId = ""] = payload.split(" ");
  return { token, monitorId, checkId };
}

/** Without changes, or when all changes were judged unimportant, nothing is sent. */
async function hasNews(tx: Statements, check: CheckRow): Promise<boolean> {
  if (check.removed + check.failed > 0) return true;
  if (check.changed + check.fresh === 0) return false;
  const row = await tx
    .prepared<{ count: number }>(
      `SELECT count(*) AS count FROM monitor_pages WHERE check_id = ? AND status IN ('new', 'changed')
         AND (judgment IS NULL OR judgment LIKE '{"meaningful":true%')`,
    )
    .get(check.id);
  return (row?.count ?? 0) > 0;
}

/** Sends messages with retries, up to an hourly limit per team. */
export function mailWork(services: MonitorServices): Work {
  const { store, coordinator, mail } = services;
  return {
    kind: MAIL,
    slots: SLOTS,
    attempts: ATTEMPTS,
    backoffMs: (failures) => BACKOFF_MS[failures - 1] ?? BACKOFF_MS[0],
    async run(task, signal) {
      const written = await writeMessage(queuedOf(task.payload), services);
      if (written) {
        const { teamId, message } = written;
        const refused = await coordinator.count(`monitor mail ${teamId}`, MESSAGES_PER_HOUR, HOUR_MS);
        if (refused) return { againAtMs: refused.freeAtMs };
        await mail?.send(message, signal);
      }
      await endMail(task, { email: "sent" });
      return undefined;
    },
    giveUp: (task, reason) => endMail(task, { email: "failed", error: reason }),
  };

  async function endMail(task: QueuedTask, status: NotificationStatus): Promise<void> {
    const { checkId, token } = queuedOf(task.payload);
    await store.database.transaction(async (tx) => {
      if (!(await task.end(tx))) return;
      if (checkId === "" && status.email === "failed") await setAsked(tx, token, null);
      // A failed message stays visible when later ones succeed.
      const check = checkId === "" ? undefined : await getCheck(tx, checkId);
      if (check && !check.notification?.includes('"failed"')) await setStatus(tx, checkId, status);
    });
  }
}

interface WrittenMessage {
  readonly teamId: string;
  readonly message: MailMessage;
}

/** Undefined when the message is not wanted any more. */
async function writeMessage(
  { token, monitorId, checkId }: QueuedMessage,
  services: MonitorServices,
): Promise<WrittenMessage | undefined> {
  const { store, options, publicUrl } = services;
  const monitor = await getMonitor(store.database, monitorId);
  const email = monitor && options.open({ id: monitor.id, options: monitor.plan }).notification?.email;
  if (!monitor || !email?.enabled) return undefined;
  const { teamId } = monitor;
  const known = await subscriptionsOf(store.database, { teamId, recipients: email.recipients }, services);
  const recipient = known.find((one) => one.token === token);
  if (recipient?.status !== (checkId === "" ? "pending" : "confirmed")) return undefined;
  const linkBase = publicUrl ?? monitor.linkBase;
  const link = `${linkBase}${MAIL_PATH}/${token}`;
  const check = checkId === "" ? undefined : await getCheck(store.database, checkId);
  if (checkId !== "" && !check) return undefined;
  const { subject, text } = check
    ? await reportOf(check, { name: monitor.name, link, includesDiffs: email.includeDiffs }, services)
    : questionOf({ linkBase, link, address: recipient.email });
  const id = `${checkId || recipient.askedAtMs}.${sha256Hex(token).slice(0, 16)}`;
  return { teamId, message: { recipients: [recipient.email], subject, text, id, unsubscribeUrl: link } };
}

interface Question {
  readonly linkBase: string;
  readonly link: string;
  readonly address: string;
}

/** The team controls no text of this message. */
function questionOf({ linkBase, link, address }: Question): Pick<MailMessage, "subject" | "text"> {
  return {
    subject: "Do you want messages about watched pages?",
    text: `Somebody who uses ${linkBase} wants messages about changes of web pages sent to ${address}.

To receive them, open this page and confirm:
${link}

Otherwise do nothing: no message is sent unless you confirm.`,
  };
}

interface Report {
  readonly name: string;
  readonly link: string;
  readonly includesDiffs: boolean;
}

async function reportOf(
  check: CheckRow,
  { name, link, includesDiffs }: Report,
  { store }: MonitorServices,
): Promise<Pick<MailMessage, "subject" | "text">> {
  const { changed, fresh, removed, failed, total } = check;
  const counts = `${changed} changed, ${fresh} new, ${removed} removed, ${failed} failed, of ${total} pages`;
  const news = await newsOf(check, store.database, includesDiffs);
  const text = [`${name}: ${counts}.`, ...news, `To end these messages: ${link}`].join("\n\n");
  return { subject: `${name}: ${counts}`, text };
}

/** Text of a message about the pages of a check. One diff is in memory at a time. */
export async function newsOf(
  { id, changed, fresh, removed, failed }: CheckRow,
  statements: Statements,
  includesDiffs: boolean,
): Promise<readonly string[]> {
  const listed: string[] = [];
  for (const page of await firstNews(statements, id, MAX_LISTED)) {
    listed.push(textOf(page, includesDiffs ? await getDiff(statements, id, page.number) : null));
  }
  const rest = changed + fresh + removed + failed - listed.length;
  return rest > 0 ? [...listed, `… and ${rest} more pages.`] : listed;
}

/** @param diff JSON. Null: the message does not show it. */
function textOf({ status, url, error, judgment }: PageNews, diff: string | null): string {
  const judged = judgment === null ? undefined : (JSON.parse(judgment) as Judgment);
  const { text = "", json } = JSON.parse(diff ?? "{}") as PageDiff;
  const shown = text || (json === undefined ? "" : JSON.stringify(json, null, 1));
  return [`${status}: ${url}`, error, judged?.reason, shown.slice(0, MAX_DIFF_LENGTH)]
    .filter(Boolean)
    .join("\n");
}

async function setStatus(tx: Statements, checkId: string, status: NotificationStatus): Promise<void> {
  await changeCheck(tx, checkId, { notification: JSON.stringify(status) });
}
