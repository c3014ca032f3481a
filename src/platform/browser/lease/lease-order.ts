/** Programs that can be lent. */
export const PROGRAMS = ["shell", "headful"] as const;
export type LentProgram = (typeof PROGRAMS)[number];

/** Which browser is wanted of another node. */
export interface LeaseOrder {
  readonly program: LentProgram;
  /** Whether frames of other sites have processes of their own. */
  readonly isolatesSites: boolean;
  /** Whether pages may open others. */
  readonly opensWindows: boolean;
}

/** Where nodes lend browsers: `/node/browser?program=shell&isolates=0&windows=0`, on the listener of nodes alone. */
const LEASE_PATH = "/node/browser";

export function leaseTarget({ program, isolatesSites, opensWindows }: LeaseOrder): string {
  return `${LEASE_PATH}?program=${program}&isolates=${Number(isolatesSites)}&windows=${Number(opensWindows)}`;
}

/** @returns undefined when the target is not exactly one that `leaseTarget` writes. */
export function readLeaseTarget(target: string): LeaseOrder | undefined {
  const orders = PROGRAMS.flatMap((program) =>
    [false, true].flatMap((isolatesSites) =>
      [false, true].map((opensWindows) => ({ program, isolatesSites, opensWindows })),
    ),
  );
  return orders.find((order) => leaseTarget(order) === target);
}
