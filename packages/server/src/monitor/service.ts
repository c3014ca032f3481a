import { z } from "zod";

import type { Caller } from "../accounts/callers.ts";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import { isJsonObject } from "@pergamon-dev/kit/json";
import { lazy } from "@pergamon-dev/kit/lazy";
import { isUuid } from "@pergamon-dev/kit/uuid";
import { MAX_PAGE_BYTES } from "../api/fitting.ts";
import { listPages, type PageListPart } from "./check-pages.ts";
import { type CheckListPart, getCheck, listChecks } from "./check-rows.ts";
import { writeFeed } from "./feed.ts";
import { estimateCheck } from "./estimate.ts";
import { subscriptionsOf } from "./mail-subscriptions.ts";
import { checkAnswer, monitorAnswer, pageAnswer, withUrlCounts } from "./answers.ts";
import { monitorChangeSchema, type MonitorPlan } from "./request.ts";
import { listMonitors, type MonitorRow } from "./rows.ts";
import type { Monitors } from "./monitors.ts";
import { NO_MODEL } from "./target-results.ts";

/** Caller of a request, with the base of links. */
interface MonitorCaller {
  readonly caller: Caller;
  readonly linkBase: string;
}

/** Monitors for clients: HTTP, command line and tools. */
export class MonitorService {
  readonly #monitors: Monitors;
  readonly #changeSchema: () => ReturnType<typeof monitorChangeSchema>;

  constructor(monitors: Monitors) {
    this.#monitors = monitors;
    this.#changeSchema = lazy(() => monitorChangeSchema(monitors.services.scrapeSchema()));
  }

  /** @throws ZodError, ServiceError or ForbiddenError for a monitor that cannot be created. */
  async create(body: object, { caller, linkBase }: MonitorCaller) {
    const request = this.#monitors.services.request(body);
    return this.#described(await this.#monitors.create({ caller, linkBase, request, body }));
  }

  async list(part: { readonly limit: number; readonly offset: number }, { caller }: MonitorCaller) {
    const { database } = this.#monitors.services.store;
    const data = [];
    let sizeBytes = 0;
    for await (const row of listMonitors(database, {
      teamId: caller.teamId,
      ...part,
      limit: part.limit + 1,
    })) {
      const monitor = withUrlCounts((await this.describe(row)).data);
      sizeBytes += JSON.stringify(monitor).length;
      const isFull = data.length === part.limit || (data.length > 0 && sizeBytes > MAX_PAGE_BYTES);
      if (isFull) return { data, hasMore: true };
      data.push(monitor);
    }
    return { data, hasMore: false };
  }

  /** @throws NotFoundError, and ZodError for an invalid id, like the methods below. */
  async read(monitorId: string, { caller }: MonitorCaller) {
    return this.#described(await this.#find(monitorId, caller));
  }

  async change(monitorId: string, body: object, { caller, linkBase }: MonitorCaller) {
    const id = checkedId(monitorId, "monitorId");
    if (Object.keys(body).length === 0)
      throw new ServiceError("BAD_REQUEST", { message: "Update body cannot be empty" });
    const request = this.#changeSchema().parse(body);
    return this.#described(await this.#monitors.change(id, { caller, linkBase, request, body }));
  }

  async remove(monitorId: string, { caller }: MonitorCaller): Promise<void> {
    await this.#monitors.remove(checkedId(monitorId, "monitorId"), caller.teamId);
  }

  /** @throws ConflictError for a paused monitor, and while a check is active. */
  async run(monitorId: string, { caller }: MonitorCaller) {
    return checkAnswer(await this.#monitors.run(checkedId(monitorId, "monitorId"), caller));
  }

  async checks(monitorId: string, part: Omit<CheckListPart, "monitorId">, { caller }: MonitorCaller) {
    const { id } = await this.#find(monitorId, caller);
    const { database } = this.#monitors.services.store;
    const { checks, hasMore } = await listChecks(database, { monitorId: id, ...part });
    return { checks: checks.map(checkAnswer), hasMore };
  }

  /** @throws ForbiddenError when the caller's key does not allow the formats of its pages. */
  async check(
    monitorId: string,
    checkId: string,
    part: Omit<PageListPart, "checkId">,
    { caller }: MonitorCaller,
  ) {
    const monitors = this.#monitors;
    const monitor = await this.#find(monitorId, caller);
    const { database } = monitors.services.store;
    const check = await getCheck(database, checkedId(checkId, "checkId"));
    if (check?.monitorId !== monitor.id) throw new NotFoundError("Check not found");
    monitors.refuseReader(monitor, caller);
    const { pages, hasMore } = await listPages(database, { ...part, checkId: check.id });
    return { check: checkAnswer(check), pages: pages.map(pageAnswer), hasMore };
  }

  /** The newest changes as an Atom feed. @throws as `check`. */
  async feed(monitorId: string, { caller, linkBase }: MonitorCaller): Promise<string> {
    const monitor = await this.#find(monitorId, caller);
    this.#monitors.refuseReader(monitor, caller);
    const { id, name, createdAtMs } = monitor;
    const url = `${linkBase}/v2/monitor/${id}/feed`;
    return writeFeed(this.#monitors.services.store.database, { monitorId: id, name, url, createdAtMs });
  }

  /** A monitor in the answer to clients, with its cost estimate. */
  async describe(monitor: MonitorRow) {
    const { services } = this.#monitors;
    const { id, teamId, keyId, linkBase } = monitor;
    const plan = services.options.open({ id, options: monitor.plan });
    const caller = await services.callers.ofWork({ teamId, keyId });
    const order = caller && { monitorId: id, plan, caller, linkBase };
    const checkCredits = order && (await estimateCheck(order, services).catch(() => undefined));
    const data = monitorAnswer(monitor, { plan, checkCredits, nowMs: services.store.clock.now() });
    return { data, plan };
  }

  async #described(monitor: MonitorRow) {
    const { data, plan } = await this.describe(monitor);
    const emailRecipientSubscriptions = await this.#subscriptions(monitor, plan);
    const warnings = warningsAbout(plan, this.#monitors);
    const subscribed = emailRecipientSubscriptions && { emailRecipientSubscriptions };
    return {
      data: { ...data, ...subscribed },
      warning: warnings.length > 0 ? warnings.join(" ") : undefined,
    };
  }

  /** Undefined where no mail is sent. */
  async #subscriptions({ teamId }: MonitorRow, { notification }: MonitorPlan) {
    const { services } = this.#monitors;
    const { recipients = [] } = notification?.email ?? {};
    if (!services.mail || recipients.length === 0) return undefined;
    const found = await subscriptionsOf(services.store.database, { teamId, recipients }, services);
    return found.map(({ email, status, source, askedAtMs }) => {
      return { email, status, source, confirmationEmailSent: askedAtMs !== null };
    });
  }

  #find(monitorId: string, { teamId }: Caller): Promise<MonitorRow> {
    return this.#monitors.find(checkedId(monitorId, "monitorId"), teamId);
  }
}

/** @throws ZodError that names the path parameter. */
function checkedId(id: string, name: string): string {
  if (isUuid(id)) return id.toLowerCase();
  throw new z.ZodError([
    { code: "invalid_format", format: "uuid", path: [name], message: "Invalid UUID", input: id },
  ]);
}

/** Warnings about options that are stored but have no effect on this installation. */
function warningsAbout(
  { notification, judgeEnabled, goal }: MonitorPlan,
  { services: { mail, models } }: Monitors,
): readonly string[] {
  const { email, slack } = notification ?? {};
  const wantsMail = email?.enabled === true && email.recipients.length > 0;
  return [
    ...(wantsMail && !mail
      ? ["Mail cannot be sent: this service has no mail server. Set SMTP_URL and MAIL_FROM."]
      : []),
    ...(isJsonObject(slack) ? ["Notifications by Slack are not sent by `slack`. Use `channels`."] : []),
    ...(judgeEnabled && goal !== null && !models.isConfigured ? [NO_MODEL] : []),
  ];
}
