import { z } from "zod";

import { DAY, KEY_ID, success } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Count, Id, Time } from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
import { defineOperation } from "../api/operation.ts";

const Backup = z.strictObject({
  id: Id,
  file: z.string().describe("Name within the folder."),
  state: z
    .enum(["running", "done", "failed", "missing"])
    .describe("missing: the file was deleted or moved since."),
  step: z.string().describe("What is being done, in words."),
  withFiles: z.boolean(),
  sizeBytes: Count.nullable(),
  problem: z.string().nullable(),
  startedAt: Time,
  endedAt: Time.nullable(),
});

export const BackupsAnswer = answerOf(
  z.strictObject({
    folder: z.string().describe("Where the files are, on the machine of the service."),
    whyNot: z.string().nullable().describe("Why no backup can be made here; null if one can."),
    backups: z.array(Backup).describe("Newest first, the last 100."),
  }),
);
export type BackupsAnswer = z.output<typeof BackupsAnswer>;

const NewBackup = z.strictObject({
  withFiles: z
    .boolean()
    .default(false)
    .describe("Whether cached pages, responses and screenshots are included."),
});

const backup = {
  id: KEY_ID,
  file: "pergamon-2026-11-24T12-00-00Z.tar",
  state: "done",
  step: "Packing",
  withFiles: false,
  sizeBytes: 12_000_000,
  problem: null,
  startedAt: DAY,
  endedAt: DAY,
} as const;

export interface BackupServices {
  readonly backups: {
    list(): Promise<BackupsAnswer["data"]>;
    /** @throws ConflictError while one is being made; ServiceError BAD_REQUEST where none can be. */
    begin(withFiles: boolean): Promise<BackupsAnswer["data"]["backups"][number]>;
  };
}

const list = defineOperation({
  ...forOperator,
  line: "GET /admin/api/backups",
  summary: "List the backups that were begun here, with the progress of one that is being made",
  answer: defineShape("Backups", BackupsAnswer, {
    success,
    data: { folder: "/srv/data/backups", whyNot: null, backups: [backup] },
  }),
  handle: async (_call, { backups }: BackupServices) => ({ success: true, data: await backups.list() }),
});

const make = defineOperation({
  ...forOperator,
  line: "POST /admin/api/backups",
  summary: "Begin a backup into the folder of backups. One is made at a time",
  body: defineShape("NewBackup", NewBackup, { withFiles: false }),
  answer: defineShape("BegunBackup", answerOf(Backup), { success, data: backup }),
  errors: [409],
  handle: async ({ body: { withFiles } }, { backups }: BackupServices) => ({
    success: true,
    data: await backups.begin(withFiles),
  }),
});

/** Backups without a shell. They are restored with one: the service has to be stopped for that. */
export const backupOperations = [list, make];
