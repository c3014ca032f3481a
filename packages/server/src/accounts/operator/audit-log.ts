import { z } from "zod";

import type { Administration } from "../administration.ts";
import type { AuditLine } from "../audit.ts";
import { DAY, KEY_ID, lastPage, TEAM_ID } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { CursorQuery, Id, limitOf, pageOf, TeamQuery, Time } from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { defineOperation } from "../../api/operation.ts";

const AuditEntry = z.strictObject({
  id: Id,
  time: Time,
  kind: z.string(),
  by: z.string().nullable(),
  teamId: Id.nullable(),
  keyId: Id.nullable(),
  details: z.record(z.string(), z.unknown()),
});

export const AuditLogAnswer = pageOf(AuditEntry);
export type AuditLogAnswer = z.output<typeof AuditLogAnswer>;

const AuditLogQuery = z.object({
  team: TeamQuery,
  kinds: z.enum(["changes", "all"]).default("changes"),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

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
export const auditLog = defineOperation({
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
  async handle({ query: { team, kinds, limit, cursor } }, { administration }: AuditLogServices) {
    const found = await administration.newestAudit({
      teamId: team,
      changesOnly: kinds === "changes",
      before: placeOf(cursor),
      count: limit + 1,
    });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return { success: true, data: page.map(showEvent), cursor: last ? String(last.sequence) : null };
  },
});

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
