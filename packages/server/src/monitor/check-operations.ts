import { defineOperation, type Operation } from "../api/operation.ts";
import { monitorIdPart, type MonitorOperationServices, PATH } from "./operations.ts";
import { checksQuery, DEFAULT_LIMIT, pagesQuery } from "./query.ts";
import { manyChecks, oneCheck } from "./shapes.ts";

const common = { tag: "Monitors", endpoint: "monitor", rate: "crawlStatus" } as const;

const list = defineOperation({
  line: `GET ${PATH}/{monitorId}/checks`,
  ...common,
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

const read = defineOperation({
  line: `GET ${PATH}/{monitorId}/checks/{checkId}`,
  ...common,
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

export const checkOperations: readonly Operation<MonitorOperationServices>[] = [list, read];
