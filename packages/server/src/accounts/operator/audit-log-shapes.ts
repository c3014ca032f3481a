import { z } from "zod";

import { DAY, KEY_ID, lastPage, TEAM_ID } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { CursorQuery, Id, limitOf, pageOf, TeamQuery, Time } from "../../api/operator-fields.ts";
import { operatorOperation } from "../../api/operator-operation.ts";

const AuditEntry = z.strictObject({
  id: Id,
  time: Time,
  kind: z.string().describe("What happened, such as `key.changed`."),
  by: z
    .string()
    .nullable()
    .describe("Who did it, as far as known; null for callers, and in entries of before."),
  teamId: Id.nullable(),
  keyId: Id.nullable(),
  details: z
    .record(z.string(), z.unknown())
    .describe("Details, such as new values and, in `before`, the previous ones. Without keys."),
});

export const AuditLogAnswer = pageOf(AuditEntry);
export type AuditLogAnswer = z.output<typeof AuditLogAnswer>;

export const AuditLogQuery = z.object({
  team: TeamQuery,
  kinds: z
    .enum(["changes", "all"])
    .default("changes")
    .describe("`all` adds requests on behalf of named users."),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

export const readAuditLog = operatorOperation({
  line: "GET /admin/api/audit-log",
  summary: "List what operators have changed, newest first",
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
});
