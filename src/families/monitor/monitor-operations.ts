import { z } from "zod";

import { done } from "../../contract/common-shapes.ts";
import { SCRAPE_ID } from "../../contract/example-values.ts";
import { ServiceError } from "../../contract/errors.ts";
import { defineShape } from "../../contract/operation.ts";
import { isUuid } from "../../kit/uuid.ts";
import { isJsonObject } from "../../kit/json.ts";
import { defineOperation, type Operation } from "../../operations/operation.ts";
import { scrapeRequestSchema } from "../../scrape/request/schema.ts";
import { callerOfCheck } from "./check-work.ts";
import { estimateCheck } from "./estimate.ts";
import { checkAnswer, monitorAnswer } from "./monitor-answers.ts";
import { DEFAULT_LIMIT, listQuery } from "./monitor-query.ts";
import {
  type MonitorChange,
  monitorChangeSchema,
  type MonitorPlan,
  type MonitorRequest,
  monitorRequestSchema,
} from "./monitor-request.ts";
import { listMonitors, type MonitorRow } from "./monitor-rows.ts";
import type { Monitors } from "./monitors.ts";
import { manyMonitors, oneMonitor, runFailure, startedCheck } from "./monitor-shapes.ts";
import { NO_MODEL } from "./target-results.ts";

export interface MonitorOperationServices {
  readonly monitors: Monitors;
  /** @throws ZodError for a body that is no request. */
  readonly request: (body: unknown) => MonitorRequest;
  readonly change: (body: unknown) => MonitorChange;
}

export const PATH = "/v2/monitor";
export const monitorIdPart = { type: "string", format: "uuid", examples: [SCRAPE_ID] };
const common = { tag: "Monitors", endpoint: "monitor" } as const;

const anyObject = z.looseObject({});
const example = {
  name: "Prices",
  schedule: { text: "daily at 9:00", timezone: "Europe/Berlin" },
  targets: [{ type: "scrape", urls: ["https://example.com/prices"] }],
};
const documentedScrape = scrapeRequestSchema(() => false);
const monitorBody = {
  ...defineShape("MonitorRequest", anyObject, example),
  documented: monitorRequestSchema(documentedScrape),
};
const changeBody = {
  ...defineShape("MonitorChange", anyObject, { status: "paused" }),
  documented: monitorChangeSchema(documentedScrape),
};

const create = defineOperation({
  line: `POST ${PATH}`,
  ...common,
  summary: "Have pages looked at again and again",
  rate: "crawl",
  isPaid: true,
  body: monitorBody,
  answer: oneMonitor,
  errors: [402, 403],
  async handle({ caller, linkBase, body }, services: MonitorOperationServices) {
    const request = services.request(body);
    const monitor = await services.monitors.create({ caller, linkBase, request, body });
    return answerOf(monitor, services);
  },
});

const list = defineOperation({
  line: `GET ${PATH}`,
  ...common,
  summary: "List monitors, newest first",
  rate: "crawlStatus",
  query: listQuery,
  answer: manyMonitors,
  errors: [400],
  async handle({ caller, query }, { monitors }: MonitorOperationServices) {
    const { limit = DEFAULT_LIMIT, offset = 0 } = query;
    const part = { teamId: caller.teamId, limit, offset };
    const rows = await listMonitors(monitors.services.place.database, part);
    const data = [];
    for (const row of rows) data.push((await described(row, monitors)).data);
    return { success: true, data };
  },
});

const read = defineOperation({
  line: `GET ${PATH}/{monitorId}`,
  ...common,
  summary: "Read a monitor",
  rate: "crawlStatus",
  params: { monitorId: monitorIdPart },
  answer: oneMonitor,
  errors: [400, 404],
  async handle({ caller, params }, services: MonitorOperationServices) {
    return answerOf(await findMonitor(params.monitorId, caller.teamId, services), services);
  },
});

const change = defineOperation({
  line: `PATCH ${PATH}/{monitorId}`,
  ...common,
  summary: "Change a monitor",
  rate: "crawl",
  params: { monitorId: monitorIdPart },
  body: changeBody,
  answer: oneMonitor,
  errors: [403, 404],
  async handle({ caller, linkBase, params, body }, services: MonitorOperationServices) {
    const id = checkedId(params.monitorId, "monitorId");
    if (Object.keys(body).length === 0)
      throw new ServiceError("BAD_REQUEST", { message: "Update body cannot be empty" });
    const request = services.change(body);
    const monitor = await services.monitors.change(id, { caller, linkBase, request, body });
    return answerOf(monitor, services);
  },
});

const remove = defineOperation({
  line: `DELETE ${PATH}/{monitorId}`,
  ...common,
  summary: "Delete a monitor with its checks",
  rate: "crawlStatus",
  params: { monitorId: monitorIdPart },
  answer: done,
  errors: [400, 404],
  async handle({ caller, params }, { monitors }: MonitorOperationServices) {
    await monitors.remove(checkedId(params.monitorId, "monitorId"), caller.teamId);
    return { success: true };
  },
});

const runBody = defineShape("MonitorRun", z.looseObject({}), {});

const run = defineOperation({
  line: `POST ${PATH}/{monitorId}/run`,
  ...common,
  summary: "Run a check of a monitor now",
  rate: "crawl",
  isPaid: true,
  params: { monitorId: monitorIdPart },
  body: runBody,
  answer: startedCheck,
  failure: runFailure,
  errors: [402, 404, 409],
  async handle({ caller, params, body }, { monitors }: MonitorOperationServices) {
    const id = checkedId(params.monitorId, "monitorId");
    RunRequest.parse(body);
    const check = await monitors.run(id, caller);
    return { success: true, id: check.id, data: checkAnswer(check) };
  },
});

const { origin, integration } = documentedScrape.shape;
const RunRequest = z.strictObject({ origin, integration });

/** @throws ZodError at the name of the part of the path. */
export function checkedId(id: string, name: string): string {
  if (isUuid(id)) return id.toLowerCase();
  throw new z.ZodError([
    { code: "invalid_format", format: "uuid", path: [name], message: "Invalid UUID", input: id },
  ]);
}

export function findMonitor(
  id: string,
  teamId: string,
  { monitors }: Pick<MonitorOperationServices, "monitors">,
): Promise<MonitorRow> {
  return monitors.find(checkedId(id, "monitorId"), teamId);
}

async function answerOf(monitor: MonitorRow, { monitors }: MonitorOperationServices) {
  const { data, plan } = await described(monitor, monitors);
  const warnings = warningsAbout(plan, monitors);
  return { success: true as const, data, warning: warnings.length > 0 ? warnings.join(" ") : undefined };
}

/** A monitor as clients get it, with what it is going to cost. */
export async function described(monitor: MonitorRow, { services }: Monitors) {
  const { id, teamId, keyId, linkBase } = monitor;
  const plan = services.plans.open(id, monitor.plan);
  const caller = await callerOfCheck({ teamId, keyId: keyId ?? undefined }, services);
  const order = caller && { monitorId: id, plan, caller, linkBase };
  const checkCredits = order && (await estimateCheck(order, services).catch(() => undefined));
  const data = monitorAnswer(monitor, { plan, checkCredits, nowMs: services.place.clock.now() });
  return { data, plan };
}

/** What is stored, and has no effect here. */
function warningsAbout(
  { notification, judgeEnabled, goal }: MonitorPlan,
  { services: { mail, models } }: Monitors,
): readonly string[] {
  const { email, slack } = notification ?? {};
  const wantsMail = email?.enabled === true && email.recipients.length > 0;
  return [
    ...(wantsMail && !mail
      ? ["No mail is sent: this service has no mail server. Set SMTP_URL and MAIL_FROM."]
      : []),
    ...(isJsonObject(slack) ? ["Notifications by Slack are not sent. Use a webhook."] : []),
    ...(judgeEnabled && goal !== null && !models ? [NO_MODEL] : []),
  ];
}

export const monitorOperations: readonly Operation<MonitorOperationServices>[] = [
  create,
  list,
  read,
  change,
  remove,
  run,
];
