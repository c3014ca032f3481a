import type { Route } from "./ask.ts";

/** What its method does not tell: reads that the audit log has, and the end of the own login. */
const EXCEPTIONS: ReadonlyMap<Route, boolean> = new Map([
  ["DELETE /admin/session", true],
  ["GET /admin/api/backups/{id}/file", false],
  ["GET /admin/api/teams/{id}/profiles/{name}/export", false],
  ["GET /admin/api/teams/{id}/webhook-secret", false],
]);

/** Whether operators who change nothing may call this. */
export function isForViewers(route: Route): boolean {
  return EXCEPTIONS.get(route) ?? route.startsWith("GET ");
}
