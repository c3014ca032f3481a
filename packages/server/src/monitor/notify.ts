import { sha256Hex } from "@pergamon-dev/kit/hash";
import { isJsonObject } from "@pergamon-dev/kit/json";
import type { Statements } from "../storage/database/database.ts";
import type { QueuedTask, Work } from "../jobs/queue/task-queue.ts";
import type { MailMessage } from "../storage/mail/mail.ts";
import { type Channel, letterTo } from "./channels.ts";
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
const LETTER_TIMEOUT_MS = 10_000;
/** Messages of one team to all recipients together. */
const MESSAGES_PER_HOUR = 200;
const HOUR_MS = 3_600_000;
/** Pages that a message lists, and characters of a difference in it. */
const MAX_LISTED = 50;
/** A longer difference is of text; those of values are shown to everybody. */
const MAX_VALUES_LENGTH = 20_000;
const MAX_DIFF_LENGTH = 5000;

type Sending = "pending" | "sent" | "failed";

interface NotificationStatus {
  readonly email?: Sending;
  readonly channels?: Sending;
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
  const channels = plan.notification?.channels ?? [];
  if (!(wantsMail(plan, services) || channels.length > 0) || !(await hasNews(tx, check))) return;
  const recipients = await askRecipients(tx, { id: monitorId, teamId, plan }, services);
  const ready = recipients.filter(({ status }) => status === "confirmed");
  if (ready.length > 0) await setStatus(tx, checkId, { email: "pending" });
  if (channels.length > 0) await setStatus(tx, checkId, { channels: "pending" });
  await services.store.queue.add(
    tx,
    [...ready.map(({ token }) => token), ...channels.map(tokenOf)].map((token) => {
      return { kind: MAIL, group: `monitor ${monitorId}`, payload: payloadOf({ token, monitorId, checkId }) };
    }),
  );
}

const CHANNEL = "channel-";

/** Names a channel in the queue, also after others were removed. */
function tokenOf(channel: Channel): string {
  return CHANNEL + sha256Hex(JSON.stringify(channel)).slice(0, 32);
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

/**
 * Without changes, or when all changes were judged unimportant, nothing is sent, nor about pages that a first check met: later
 * ones compare with them.
 */
async function hasNews(tx: Statements, check: CheckRow): Promise<boolean> {
  if (check.removed + check.failed > 0) return true;
  if (check.changed + check.fresh === 0) return false;
  const { count: earlier } = (await tx
    .prepared<{ count: number }>(
      "SELECT count(*) AS count FROM monitor_checks WHERE monitor_id = ? AND id < ? AND total > failed",
    )
    .get(check.monitorId, check.id)) ?? { count: 0 };
  const row = await tx
    .prepared<{ count: number }>(
      `SELECT count(*) AS count FROM monitor_pages WHERE check_id = ? AND (status = 'changed' OR status = 'new' AND (? > 0 OR judgment IS NOT NULL))
         AND (judgment IS NULL OR judgment LIKE '{"meaningful":true%')`,
    )
    .get(check.id, earlier);
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
        const refused = await coordinator.count(`monitor mail ${written.teamId}`, MESSAGES_PER_HOUR, HOUR_MS);
        if (refused) return { againAtMs: refused.freeAtMs };
        if ("letter" in written) await sendLetter(written.letter, signal);
        else await mail?.send(written.message, signal);
      }
      await endMail(task, statusOf(task, "sent"));
      return undefined;
    },
    giveUp: (task, reason) => endMail(task, { ...statusOf(task, "failed"), error: reason }),
  };

  function statusOf({ payload }: QueuedTask, sending: Sending): NotificationStatus {
    return payload.startsWith(CHANNEL) ? { channels: sending } : { email: sending };
  }

  /** @throws unless the receiver has taken it. */
  async function sendLetter({ url, body }: ReturnType<typeof letterTo>, signal: AbortSignal): Promise<void> {
    const headers = { "content-type": "application/json" };
    const until = AbortSignal.any([signal, AbortSignal.timeout(LETTER_TIMEOUT_MS)]);
    const { status } = await services.sendLetter({ url, headers, body }, until);
    if (status < 200 || status > 299) throw new Error(`The channel at ${url.host} answered ${status}.`);
  }

  async function endMail(task: QueuedTask, status: NotificationStatus): Promise<void> {
    const { checkId, token } = queuedOf(task.payload);
    await store.database.transaction(async (tx) => {
      if (!(await task.end(tx))) return;
      if (checkId === "" && status.email === "failed") await setAsked(tx, token, null);
      if (checkId !== "") await setStatus(tx, checkId, status);
    });
  }
}

type WrittenMessage = { readonly teamId: string } & (
  | { readonly message: MailMessage }
  | { readonly letter: ReturnType<typeof letterTo> }
);

/** Undefined when the message is not wanted any more. */
async function writeMessage(
  { token, monitorId, checkId }: QueuedMessage,
  services: MonitorServices,
): Promise<WrittenMessage | undefined> {
  const { store, options, publicUrl } = services;
  const monitor = await getMonitor(store.database, monitorId);
  if (!monitor) return undefined;
  const { teamId, name } = monitor;
  const { email, channels = [] } = options.open({ id: monitor.id, options: monitor.plan }).notification ?? {};
  const check = checkId === "" ? undefined : await getCheck(store.database, checkId);
  if (checkId !== "" && !check) return undefined;
  const channel = channels.find((one) => tokenOf(one) === token);
  if (channel && check) {
    const report = await reportOf(check, { name, includesDiffs: false }, services);
    return { teamId, letter: letterTo(channel, { title: report.subject, text: report.text }) };
  }
  if (!email?.enabled) return undefined;
  const known = await subscriptionsOf(store.database, { teamId, recipients: email.recipients }, services);
  const recipient = known.find((one) => one.token === token);
  if (recipient?.status !== (checkId === "" ? "pending" : "confirmed")) return undefined;
  const linkBase = publicUrl ?? monitor.linkBase;
  const link = `${linkBase}${MAIL_PATH}/${token}`;
  const { subject, text } = check
    ? await reportOf(check, { name, link, includesDiffs: email.includeDiffs }, services)
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
  /** Where messages can be ended, of mail. */
  readonly link?: string;
  readonly includesDiffs: boolean;
}

async function reportOf(
  check: CheckRow,
  { name, link, includesDiffs }: Report,
  { store }: MonitorServices,
): Promise<Pick<MailMessage, "subject" | "text">> {
  const counts = countsOf(check);
  const news = await newsOf(check, store.database, includesDiffs);
  const end = link === undefined ? [] : [`To end these messages: ${link}`];
  return { subject: `${name}: ${counts}`, text: [`${name}: ${counts}.`, ...news, ...end].join("\n\n") };
}

/** `1 page changed, 2 new`. */
function countsOf({ changed, fresh, removed, failed }: CheckRow): string {
  const counts = Object.entries({ changed, new: fresh, removed, failed }).filter(([, count]) => count > 0);
  return counts
    .map(([word, count], index) => {
      const pages = index > 0 ? "" : count === 1 ? "page " : "pages ";
      return `${count} ${pages}${word}`;
    })
    .join(", ");
}

/** Text of a message about the pages of a check. One diff is in memory at a time. */
export async function newsOf(
  { id, changed, fresh, removed, failed }: CheckRow,
  statements: Statements,
  includesDiffs: boolean,
): Promise<readonly string[]> {
  const listed: string[] = [];
  for (const page of await firstNews(statements, id, MAX_LISTED)) {
    const diff = await getDiff(statements, id, page.number, includesDiffs ? undefined : MAX_VALUES_LENGTH);
    listed.push(newsText(page, diff, includesDiffs));
  }
  const rest = changed + fresh + removed + failed - listed.length;
  return rest > 0 ? [...listed, `… and ${rest} more pages.`] : listed;
}

/** A page in messages. @param diff JSON. Its values are always shown, its text if the recipient wants that. */
export function newsText(
  { status, url, error, judgment }: PageNews,
  diff: string | null,
  includesDiffs: boolean,
): string {
  const judged = judgment === null ? undefined : (JSON.parse(judgment) as Judgment);
  const { text = "", json = {} } = JSON.parse(diff ?? "{}") as PageDiff;
  const values = Object.entries(json).flatMap(([path, change]) => valueLine(path, change));
  const shown = [...values.slice(0, MAX_LISTED), ...(includesDiffs ? [text] : [])].join("\n");
  return [`${status}: ${url}`, error, judged?.reason, shown.slice(0, MAX_DIFF_LENGTH)]
    .filter(Boolean)
    .join("\n");
}

/** `price: $149.00 → $129.00` of a value that has changed. A diff of text has none. */
function valueLine(path: string, change: unknown): readonly string[] {
  if (!isJsonObject(change) || !("previous" in change)) return [];
  const [before, after] = [change["previous"], change["current"]].map((value) =>
    typeof value === "string" ? value : value === null ? "nothing" : JSON.stringify(value),
  );
  return [`${path}: ${before} → ${after}`];
}

/** A failed message stays visible when later ones succeed. */
async function setStatus(tx: Statements, checkId: string, status: NotificationStatus): Promise<void> {
  const check = await getCheck(tx, checkId);
  if (!check) return;
  const known = JSON.parse(check.notification ?? "{}") as NotificationStatus;
  const failed = Object.entries(known).filter(([, value]) => value === "failed");
  const notification = JSON.stringify({ ...known, ...status, ...Object.fromEntries(failed) });
  await changeCheck(tx, checkId, { notification });
}
