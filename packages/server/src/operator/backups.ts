import type { Readable } from "node:stream";

import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { done } from "../api/common-shapes.ts";
import { DAY, KEY_ID, success } from "../api/example-values.ts";
import { Outgoing } from "../api/outgoing.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Count, Id, Time } from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
import { defineOperation } from "../api/operation.ts";

const Backup = lazy(() =>
  z.strictObject({
    id: Id,
    file: z.string(),
    state: z.enum(["running", "done", "failed", "missing"]),
    step: z.string(),
    withFiles: z.boolean(),
    sizeBytes: Count.nullable(),
    problem: z.string().nullable(),
    startedAt: Time,
    endedAt: Time.nullable(),
  }),
);

export const BackupsAnswer = () =>
  answerOf(
    z.strictObject({
      folder: z.string(),
      whyNot: z.string().nullable(),
      backups: z.array(Backup()),
    }),
  );
export type BackupsAnswer = z.output<ReturnType<typeof BackupsAnswer>>;

const NewBackup = () =>
  z.strictObject({
    withFiles: z.boolean().default(false),
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
    /** @throws ConflictError while a backup runs; ServiceError BAD_REQUEST when backups are impossible. */
    begin(withFiles: boolean): Promise<BackupsAnswer["data"]["backups"][number]>;
    /** @throws NotFoundError or ConflictError unless it is complete. */
    read(id: string): Promise<{ readonly file: string; readonly content: Readable }>;
    remove(id: string): Promise<void>;
  };
}

const list = defineOperation({
  ...forOperator,
  line: "GET /admin/api/backups",
  answer: defineShape("Backups", BackupsAnswer, {
    success,
    data: { folder: "/srv/data/backups", whyNot: null, backups: [backup] },
  }),
  handle: async (_call, { backups }: BackupServices) => ({ success: true, data: await backups.list() }),
});

const make = defineOperation({
  ...forOperator,
  line: "POST /admin/api/backups",
  audit: "backup.begun",
  tells: ["withFiles"],
  body: defineShape("NewBackup", NewBackup, { withFiles: false }),
  answer: defineShape("BegunBackup", () => answerOf(Backup()), { success, data: backup }),
  errors: [409],
  handle: async ({ body: { withFiles } }, { backups }: BackupServices) => ({
    success: true,
    data: await backups.begin(withFiles),
  }),
});

const download = defineOperation({
  ...forOperator,
  line: "GET /admin/api/backups/{id}/file",
  // It holds keys: who takes one away is written down.
  audit: "backup.downloaded",
  answer: { contentType: "application/x-tar", isBinary: true, example: "" },
  errors: [404, 409],
  async handle({ params: { id } }, { backups }: BackupServices) {
    const { file, content } = await backups.read(id);
    const headers = { "content-disposition": `attachment; filename="${file}"`, "cache-control": "no-store" };
    return new Outgoing(content, { type: "application/x-tar", headers });
  },
});

const remove = defineOperation({
  ...forOperator,
  line: "DELETE /admin/api/backups/{id}",
  audit: "backup.deleted",
  answer: done,
  errors: [404, 409],
  async handle({ params: { id } }, { backups }: BackupServices) {
    await backups.remove(id);
    return { success: true };
  },
});

/** Backups can be made without a shell. Restoring one needs a shell, because the service must be stopped. */
export const backupOperations = [list, make, download, remove];
