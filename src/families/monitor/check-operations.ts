import { NotFoundError } from "../../contract/errors.ts";
import { defineOperation, type Operation } from "../../operations/operation.ts";
import { listPages } from "./check-pages.ts";
import { type CheckRow, getCheck, listChecks } from "./check-rows.ts";
import { checkAnswer, pageAnswer } from "./monitor-answers.ts";
import {
  checkedId,
  findMonitor,
  monitorIdPart,
  type MonitorOperationServices,
  PATH,
} from "./monitor-operations.ts";
import { checksQuery, DEFAULT_LIMIT, pagesQuery } from "./monitor-query.ts";
import { manyChecks, oneCheck } from "./monitor-shapes.ts";

const common = { tag: "Monitors", endpoint: "monitor", rate: "crawlStatus" } as const;

const list = defineOperation({
  line: `GET ${PATH}/{monitorId}/checks`,
  ...common,
  summary: "List the checks of a monitor, newest first",
  params: { monitorId: monitorIdPart },
  query: checksQuery,
  answer: manyChecks,
  errors: [400, 404],
  async handle({ caller, params, query }, services: MonitorOperationServices) {
    const { id: monitorId } = await findMonitor(params.monitorId, caller.teamId, services);
    const { limit = DEFAULT_LIMIT, offset = 0, status } = query;
    const { database } = services.monitors.services.place;
    const checks = await listChecks(database, { monitorId, status, limit, offset });
    return { success: true, data: checks.map(checkAnswer) };
  },
});

const read = defineOperation({
  line: `GET ${PATH}/{monitorId}/checks/{checkId}`,
  ...common,
  summary: "Read a check and its pages",
  params: { monitorId: monitorIdPart, checkId: monitorIdPart },
  query: pagesQuery,
  answer: oneCheck,
  errors: [400, 404],
  async handle({ caller, params, query, linkBase }, services: MonitorOperationServices) {
    const monitor = await findMonitor(params.monitorId, caller.teamId, services);
    const check = await findCheck(params.checkId, monitor.id, services);
    services.monitors.refuseReader(monitor, caller);
    const { limit = DEFAULT_LIMIT, skip = 0, status } = query;
    const { database } = services.monitors.services.place;
    const pages = await listPages(database, { checkId: check.id, status, skip, limit: limit + 1 });
    const path = `${PATH}/${monitor.id}/checks/${check.id}`;
    const filter = status === undefined ? "" : `&status=${status}`;
    const more = { next: `${linkBase}${path}?skip=${skip + limit}&limit=${limit}${filter}` };
    const next = pages.length > limit ? more : {};
    const shown = pages.slice(0, limit).map(pageAnswer);
    return { success: true, ...next, data: { ...checkAnswer(check), pages: shown, ...next } };
  },
});

/** @throws ZodError for what is no id; NotFoundError. */
async function findCheck(
  id: string,
  monitorId: string,
  { monitors }: MonitorOperationServices,
): Promise<CheckRow> {
  const check = await getCheck(monitors.services.place.database, checkedId(id, "checkId"));
  if (check?.monitorId !== monitorId) throw new NotFoundError("Check not found");
  return check;
}

export const checkOperations: readonly Operation<MonitorOperationServices>[] = [list, read];
