import { Readable } from "node:stream";

import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import type { Administration } from "../administration.ts";
import type { AuditLine } from "../audit.ts";
import { DAY, KEY_ID, lastPage, TEAM_ID } from "../../api/example-values.ts";
import { lines } from "../../api/common-shapes.ts";
import { Outgoing } from "../../api/outgoing.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { CursorQuery, Id, limitOf, pageOf, TeamQuery, Time } from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { defineOperation } from "../../api/operation.ts";

const AuditEntry = lazy(() =>
  z.strictObject({
    id: Id,
    time: Time,
    kind: z.string(),
    by: z.string().nullable(),
    teamId: Id.nullable(),
    keyId: Id.nullable(),
    details: z.record(z.string(), z.unknown()),
  }),
);

export const AuditLogAnswer = () => pageOf(AuditEntry());
export type AuditLogAnswer = z.output<ReturnType<typeof AuditLogAnswer>>;

const AuditFilterQuery = z.object({
  team: TeamQuery,
  kinds: z.enum(["changes", "all"]).default("changes"),
  kind: z.string().max(50).optional(),
  search: z.string().max(200).optional(),
});
const AuditLogQuery = AuditFilterQuery.extend({ limit: limitOf(100, 1000), cursor: CursorQuery });

export interface AuditLogServices {
  readonly administration: Administration;
}

/** Members that the service writes itself. The rest are details of the event. */
const Event = z.looseObject({
  id: z.string(),
  time: z.string(),
  kind: z.string(),
  by: z.string().optional(),
  teamId: z.string().optional(),
  keyId: z.string().optional(),
});

/**
 * The audit log for the dashboard, newest first. Scripts read `GET /admin/api/audit`, which is complete and
 * in order.
 */
const auditLog = defineOperation({
  ...forOperator,
  line: "GET /admin/api/audit-log",
  query: AuditLogQuery,
  answer: defineShape("AuditLog", AuditLogAnswer, {
    ...lastPage,
    data: [
      {
        id: KEY_ID,
        time: DAY,
        kind: "team.changed",
        by: "dashboard at 127.0.0.1",
        teamId: TEAM_ID,
        keyId: null,
        details: { limits: { concurrency: 5 }, before: { limits: {} } },
      },
    ],
  }),
  errors: [400],
  async handle({ query: { limit, cursor, ...filter } }, { administration }: AuditLogServices) {
    const found = await administration.newestAudit({
      ...filterOf(filter),
      before: placeOf(cursor),
      count: limit + 1,
    });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return { success: true, data: page.map(showEvent), cursor: last ? String(last.sequence) : null };
  },
});

/** Events that one export reads at once. */
const EXPORT_BATCH = 1000;

const auditExport = defineOperation({
  ...forOperator,
  line: "GET /admin/api/audit-log.jsonl",
  query: AuditFilterQuery,
  answer: lines,
  errors: [400],
  handle({ query }, { administration }: AuditLogServices) {
    const text = Readable.from(linesOf(filterOf(query), administration), { objectMode: false });
    const headers = { "content-disposition": 'attachment; filename="audit-log.jsonl"' };
    return new Outgoing(text, { type: "application/x-ndjson", headers });
  },
});

export const auditLogOperations = [auditLog, auditExport];

async function* linesOf(filter: ReturnType<typeof filterOf>, administration: Administration) {
  let before: number | undefined;
  for (;;) {
    const found = await administration.newestAudit({ ...filter, before, count: EXPORT_BATCH });
    if (found.length === 0) return;
    yield found.map(({ text }) => `${text}\n`).join("");
    before = found.at(-1)?.sequence;
  }
}

function filterOf({ team, kinds, kind, search }: z.output<typeof AuditFilterQuery>) {
  return { teamId: team, changesOnly: kinds === "changes", kind, search };
}

/** An invalid cursor leads to an empty page. */
function placeOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const place = Number(cursor);
  return Number.isSafeInteger(place) ? place : 0;
}

function showEvent({ text }: AuditLine): AuditLogAnswer["data"][number] {
  const { id, time, kind, by, teamId, keyId, ...details } = Event.parse(JSON.parse(text));
  return { id, time, kind, by: by ?? null, teamId: teamId ?? null, keyId: keyId ?? null, details };
}
