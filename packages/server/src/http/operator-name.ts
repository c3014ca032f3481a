import type { OperatorCall } from "../api/call.ts";

/** Who an operator is, as far as the service knows, for the audit log. */
export function operatorName({ operatorSession, ip }: Pick<OperatorCall, "operatorSession" | "ip">): string {
  return operatorSession ? `dashboard at ${ip}` : `operator's key at ${ip}`;
}
