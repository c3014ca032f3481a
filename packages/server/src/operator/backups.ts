import { type BackupsAnswer, listBackups, makeBackup } from "./backups-shapes.ts";
import { defineOperation } from "../api/operation.ts";

export interface BackupServices {
  readonly backups: {
    list(): Promise<BackupsAnswer["data"]>;
    /** @throws ConflictError while one is being made; ServiceError BAD_REQUEST where none can be. */
    begin(withFiles: boolean): Promise<BackupsAnswer["data"]["backups"][number]>;
  };
}

const list = defineOperation({
  ...listBackups,
  handle: async (_call, { backups }: BackupServices) => ({ success: true, data: await backups.list() }),
});

const make = defineOperation({
  ...makeBackup,
  handle: async ({ body: { withFiles } }, { backups }: BackupServices) => ({
    success: true,
    data: await backups.begin(withFiles),
  }),
});

/** Backups without a shell. They are restored with one: the service has to be stopped for that. */
export const backupOperations = [list, make];
