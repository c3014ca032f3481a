import { z } from "zod";
import { done } from "../api/common-shapes.ts";
import { SCRAPE_ID } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Outgoing } from "../api/outgoing.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { documentedScrapeRequest } from "../scrape/request/schema.ts";
import type { MonitorService } from "./service.ts";
import { checksQuery, DEFAULT_LIMIT, listQuery, pagesQuery } from "./query.ts";
import { monitorChangeSchema, monitorRequestSchema } from "./request.ts";
import { manyChecks, manyMonitors, oneCheck, oneMonitor, runFailure, startedCheck } from "./shapes.ts";

const commonOfChecks = { tag: "Monitors", endpoint: "monitor", rate: "crawlStatus" } as const;

export interface MonitorOperationServices {
  readonly desk: MonitorService;
}

export const PATH = "/v2/monitor";
export const monitorIdPart = { type: "string", format: "uuid", examples: [SCRAPE_ID] };
const common = { tag: "Monitors", endpoint: "monitor" } as const;

const anyObject = () => z.looseObject({});
const example = {
  name: "Prices",
  schedule: { text: "daily at 9:00", timezone: "Europe/Berlin" },
  targets: [{ type: "scrape", urls: ["https://example.com/prices"] }],
};
const monitorBody = defineShape("MonitorRequest", anyObject, example, () =>
  monitorRequestSchema(documentedScrapeRequest()),
);
const changeBody = defineShape("MonitorChange", anyObject, { status: "paused" }, () =>
  monitorChangeSchema(documentedScrapeRequest()),
);
const runBody = defineShape(
  "MonitorRun",
  () => {
    const { origin, integration } = documentedScrapeRequest().shape;
    return z.strictObject({ origin, integration });
  },
  {},
);

const create = defineOperation({
  line: `POST ${PATH}`,
  ...common,
  summary: "Have pages looked at again and again",
  rate: "crawl",
  isPaid: true,
  body: monitorBody,
  answer: oneMonitor,
  errors: [402, 403],
  async handle({ caller, linkBase, body }, { desk }: MonitorOperationServices) {
    return { success: true, ...(await desk.create(body, { caller, linkBase })) };
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
  async handle({ caller, linkBase, query }, { desk }: MonitorOperationServices) {
    const { limit = DEFAULT_LIMIT, offset = 0 } = query;
    const { data, hasMore } = await desk.list({ limit, offset }, { caller, linkBase });
    const next = `${linkBase}${PATH}?offset=${offset + data.length}&limit=${limit}`;
    return { success: true, data, ...(hasMore && { next }) };
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
  async handle({ caller, linkBase, params }, { desk }: MonitorOperationServices) {
    return { success: true, ...(await desk.read(params.monitorId, { caller, linkBase })) };
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
  async handle({ caller, linkBase, params, body }, { desk }: MonitorOperationServices) {
    return { success: true, ...(await desk.change(params.monitorId, body, { caller, linkBase })) };
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
  async handle({ caller, linkBase, params }, { desk }: MonitorOperationServices) {
    await desk.remove(params.monitorId, { caller, linkBase });
    return { success: true };
  },
});

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
  errors: [402, 403, 404, 409],
  async handle({ caller, linkBase, params }, { desk }: MonitorOperationServices) {
    const data = await desk.run(params.monitorId, { caller, linkBase });
    return { success: true, id: data.id, data };
  },
});

export const monitorOperations: readonly Operation<MonitorOperationServices>[] = [
  create,
  list,
  read,
  change,
  remove,
  run,
];

const listChecks = defineOperation({
  line: `GET ${PATH}/{monitorId}/checks`,
  ...commonOfChecks,
  summary: "List the checks of a monitor, newest first",
  params: { monitorId: monitorIdPart },
  query: checksQuery,
  answer: manyChecks,
  errors: [400, 404],
  async handle({ caller, linkBase, params, query }, { desk }: MonitorOperationServices) {
    const { limit = DEFAULT_LIMIT, offset = 0, status } = query;
    const part = { limit, offset, status };
    const { checks, hasMore } = await desk.checks(params.monitorId, part, { caller, linkBase });
    const filter = status === undefined ? "" : `&status=${status}`;
    const path = `${PATH}/${params.monitorId}/checks?offset=${offset + checks.length}&limit=${limit}`;
    return { success: true, data: checks, ...(hasMore && { next: `${linkBase}${path}${filter}` }) };
  },
});

const readCheck = defineOperation({
  line: `GET ${PATH}/{monitorId}/checks/{checkId}`,
  ...commonOfChecks,
  summary: "Read a check and its pages",
  params: { monitorId: monitorIdPart, checkId: monitorIdPart },
  query: pagesQuery,
  answer: oneCheck,
  errors: [400, 403, 404],
  async handle({ caller, linkBase, params, query }, { desk }: MonitorOperationServices) {
    const { limit = DEFAULT_LIMIT, skip = 0, status } = query;
    const { monitorId, checkId } = params;
    const part = { limit, skip, status };
    const { check, pages, hasMore } = await desk.check(monitorId, checkId, part, { caller, linkBase });
    const filter = status === undefined ? "" : `&status=${status}`;
    const path = `${PATH}/${check.monitorId}/checks/${check.id}`;
    const more = { next: `${linkBase}${path}?skip=${skip + pages.length}&limit=${limit}${filter}` };
    const next = hasMore ? more : {};
    return { success: true, ...next, data: { ...check, pages, ...next } };
  },
});

const feed = defineOperation({
  line: `GET ${PATH}/{monitorId}/feed`,
  ...commonOfChecks,
  summary: "Read the newest changes of a monitor as a feed",
  description:
    "An Atom feed. Feed readers may send the API key as the password of Basic authentication: https://reader:KEY@host/v2/monitor/ID/feed.",
  params: { monitorId: monitorIdPart },
  answer: {
    contentType: "application/atom+xml",
    example: '<feed xmlns="http://www.w3.org/2005/Atom"></feed>',
  },
  errors: [400, 403, 404],
  async handle({ caller, linkBase, params }, { desk }: MonitorOperationServices) {
    const text = await desk.feed(params.monitorId, { caller, linkBase });
    return new Outgoing(text, { type: "application/atom+xml; charset=utf-8" });
  },
});

export const checkOperations: readonly Operation<MonitorOperationServices>[] = [listChecks, readCheck, feed];
