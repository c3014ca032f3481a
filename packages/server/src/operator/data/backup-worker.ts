import { parentPort, workerData } from "node:worker_threads";

import type { Config } from "../../config/config.ts";
import { makeBackup } from "./backup.ts";

export interface BackupTask {
  readonly config: Pick<Config, "stores" | "accounts">;
  readonly file: string;
  readonly withFiles: boolean;
}

/** Messages of the thread: one for each step, then one for the outcome. */
export type BackupNews =
  | { readonly step: string }
  | { readonly sizeBytes: number; readonly problem: string | null }
  | { readonly sizeBytes: null; readonly problem: string };

const tell = (news: BackupNews) => parentPort?.postMessage(news, []);
const { config, ...order } = workerData as BackupTask;

try {
  const { sizeBytes, warnings } = await makeBackup(config, {
    ...order,
    onProgress: (step) => tell({ step }),
  });
  tell({ sizeBytes, problem: warnings.join(" ") || null });
} catch (failure) {
  tell({ sizeBytes: null, problem: failure instanceof Error ? failure.message : String(failure) });
}
