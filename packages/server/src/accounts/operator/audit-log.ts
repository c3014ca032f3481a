import { z } from "zod";

import type { Administration } from "../administration.ts";
import type { AuditLine } from "../audit.ts";
import { type AuditLogAnswer, readAuditLog } from "./audit-log-shapes.ts";
import { defineOperation } from "../../api/operation.ts";

export interface AuditLogServices {
  readonly administration: Administration;
}

/** What the service itself has written; the rest are particulars. */
const Event = z.looseObject({
  id: z.string(),
  time: z.string(),
  kind: z.string(),
  by: z.string().optional(),
  teamId: z.string().optional(),
  keyId: z.string().optional(),
});

/** The audit log for people: newest first. Scripts read `GET /admin/api/audit`, which is complete and in order. */
export const auditLog = defineOperation({
  ...readAuditLog,
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

/** A forged cursor leads to nothing. */
function placeOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const place = Number(cursor);
  return Number.isSafeInteger(place) ? place : 0;
}

function showEvent({ text }: AuditLine): AuditLogAnswer["data"][number] {
  const { id, time, kind, by, teamId, keyId, ...details } = Event.parse(JSON.parse(text));
  return { id, time, kind, by: by ?? null, teamId: teamId ?? null, keyId: keyId ?? null, details };
}
