import type { OperationDescription } from "./operation-shape.ts";

/** Endpoint of operations that declare none. */
export const DEFAULT_ENDPOINT = "account";

/** Lists the endpoints of these operations to which keys can be restricted; the default is last. */
export function endpointsOf(operations: readonly OperationDescription[]): readonly string[] {
  const named = operations.flatMap(({ access, endpoint }) =>
    access === "caller" && endpoint !== undefined ? [endpoint] : [],
  );
  return [...new Set([...named, DEFAULT_ENDPOINT])];
}
