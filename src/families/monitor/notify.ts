import type { Statements } from "../../platform/database/database.ts";
import type { Job, Work } from "../../platform/jobs/jobs.ts";
import { firstNews, getDiff, type PageNews } from "./check-pages.ts";
import { type CheckRow, changeCheck, getCheck } from "./check-rows.ts";
import type { PageDiff } from "./compare-page.ts";
import type { Judgment } from "../../contract/monitor.ts";
import { getMonitor } from "./monitor-rows.ts";
import type { MonitorPlan } from "./monitor-request.ts";
import type { MonitorServices } from "./monitor-services.ts";

const MAIL = "monitor-mail";
const ATTEMPTS = 4;
/** Mail servers that are restarted are back by then. */
const BACKOFF_MS = [60_000, 300_000, 900_000] as const;
const SLOTS = 4;
/** Pages that a message lists, and characters of a diff in it. */
const MAX_LISTED = 50;
const MAX_DIFF_LENGTH = 5000;

/** What became of a message about a check. */
export interface NotificationStatus {
  readonly email: "pending" | "sent" | "failed";
  readonly error?: string;
}

interface EndedCheck {
  readonly check: CheckRow;
  readonly plan: MonitorPlan;
}

/** Queues a message, if there is something to report and a receiver. */
export async function notifyLater(
  inside: Statements,
  { check, plan }: EndedCheck,
  { mail, jobs }: Pick<MonitorServices, "mail" | "jobs">,
): Promise<void> {
  const email = plan.notification?.email;
  if (!mail || !email?.enabled || email.recipients.length === 0) return;
  if (!(await hasNews(inside, check))) return;
  await setStatus(inside, check.id, { email: "pending" });
  await jobs.add(inside, [{ kind: MAIL, group: `monitor ${check.monitorId}`, payload: check.id }]);
}

/** Nothing changed, or all changes were judged not to matter: nothing is sent. */
async function hasNews(inside: Statements, check: CheckRow): Promise<boolean> {
  if (check.removed + check.failed > 0) return true;
  if (check.changed + check.fresh === 0) return false;
  const row = await inside
    .prepared<{ count: number }>(
      `SELECT count(*) AS count FROM monitor_pages WHERE check_id = ? AND status IN ('new', 'changed')
         AND (judgment IS NULL OR judgment LIKE '{"meaningful":true%')`,
    )
    .get(check.id);
  return (row?.count ?? 0) > 0;
}

/** Sends messages, with retries. */
export function mailWork(services: MonitorServices): Work {
  const { place } = services;
  return {
    kind: MAIL,
    slots: SLOTS,
    attempts: ATTEMPTS,
    backoffMs: (failures) => BACKOFF_MS[failures - 1] ?? BACKOFF_MS[0],
    async run(job, signal) {
      await sendMail(job.payload, services, signal);
      await endMail(job, { email: "sent" });
      return undefined;
    },
    giveUp: (job, reason) => endMail(job, { email: "failed", error: reason }),
  };

  async function endMail(job: Job, status: NotificationStatus): Promise<void> {
    await place.database.transaction(async (inside) => {
      if (await job.end(inside)) await setStatus(inside, job.payload, status);
    });
  }
}

async function sendMail(checkId: string, services: MonitorServices, signal: AbortSignal): Promise<void> {
  const { place, plans, mail } = services;
  const check = await getCheck(place.database, checkId);
  const monitor = check && (await getMonitor(place.database, check.monitorId));
  const email = monitor && plans.open(monitor.id, monitor.plan).notification?.email;
  if (!check || !monitor || !email?.enabled || !mail) return;
  const { changed, fresh, removed, failed, total } = check;
  const counts = `${changed} changed, ${fresh} new, ${removed} removed, ${failed} failed, of ${total} pages`;
  const news = await newsOf(check, place.database, email.includeDiffs);
  const text = [`${monitor.name}: ${counts}.`, ...news].join("\n\n");
  const message = { recipients: email.recipients, subject: `${monitor.name}: ${counts}`, text, id: checkId };
  await mail.send(message, signal);
}

/** What a message says of the pages of a check. One diff at a time is in memory. */
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

/** @param diff JSON; null where it is not to be shown. */
function textOf({ status, url, error, judgment }: PageNews, diff: string | null): string {
  const judged = judgment === null ? undefined : (JSON.parse(judgment) as Judgment);
  const { text = "", json } = JSON.parse(diff ?? "{}") as PageDiff;
  const shown = text || (json === undefined ? "" : JSON.stringify(json, null, 1));
  return [`${status}: ${url}`, error, judged?.reason, shown.slice(0, MAX_DIFF_LENGTH)]
    .filter(Boolean)
    .join("\n");
}

async function setStatus(inside: Statements, checkId: string, status: NotificationStatus): Promise<void> {
  await changeCheck(inside, checkId, { notification: JSON.stringify(status) });
}
