import type { OperationDescription } from "../contract/operation.ts";

/** The endpoint of operations that name none. */
export const DEFAULT_ENDPOINT = "account";

/** What keys can be restricted to, where there are these operations: the default comes last. */
export function endpointsOf(operations: readonly OperationDescription[]): readonly string[] {
  const named = operations.flatMap(({ access, endpoint }) =>
    access === "caller" && endpoint !== undefined ? [endpoint] : [],
  );
  return [...new Set([...named, DEFAULT_ENDPOINT])];
}
