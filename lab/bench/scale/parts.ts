import type { Figure } from "../report.ts";
import type { Assumptions } from "./cost.ts";

export interface ScaleOptions {
  /** Instead of the defaults of what cannot be measured. */
  readonly assumptions?: Partial<Assumptions> | undefined;
}

/** One line per part of `npm run bench -- scale`: what several processes can do together, on one machine: floors. */
export const scaleParts: readonly ((options: ScaleOptions) => Promise<readonly Figure[]>)[] = [
  async () => (await import("./charges.ts")).benchCharges(),
  async (options) => (await import("./cost.ts")).benchCost(options),
];
