import type { Line } from "./operation-shape.ts";
import type { Operation } from "./operation.ts";

/** Operations that are the same in both versions. */
export function sameInVersion1<Services>(
  operations: readonly Operation<Services>[],
): readonly Operation<Services>[] {
  return operations.map((operation) => ({
    ...operation,
    line: operation.line.replace(" /v2/", " /v1/") as Line,
    tag: "Version 1",
  }));
}
