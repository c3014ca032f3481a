import { parentPort, workerData } from "node:worker_threads";

import type { Config } from "../../config/config.ts";
import { makeBackup } from "./backup.ts";

/** What a thread is given that makes a backup. */
export interface BackupTask {
  readonly config: Pick<Config, "stores" | "accounts">;
  readonly file: string;
  readonly withFiles: boolean;
}

/** What it tells: each step, then how it ended. */
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
