import type { Figure } from "../report.ts";
import type { Assumptions } from "./cost.ts";

export interface ScaleOptions {
  /** Another commit, whose build is measured for comparison. */
  readonly against?: string | undefined;
  /** Instead of the defaults of what cannot be measured. */
  readonly assumptions?: Partial<Assumptions> | undefined;
}

/** One line per part of `npm run bench -- scale`: what several processes can do together, on one machine: floors. */
export const scaleParts: readonly ((options: ScaleOptions) => Promise<readonly Figure[]>)[] = [
  async () => (await import("./charges.ts")).benchCharges(),
  async () => (await import("./jobs.ts")).benchJobsOnPostgres(),
  async () => (await import("./limits.ts")).benchLimits(),
  async () => (await import("./databases.ts")).benchDatabases(),
  async () => (await import("./workers.ts")).benchWorkers(),
  async () => (await import("./blobs.ts")).benchBlobs(),
  async (options) => (await import("./one-process.ts")).benchOneProcess(options),
  async (options) => (await import("./cost.ts")).benchCost(options),
];
