import { dashboardOperations } from "../packages/server/src/operator/dashboard-operations.ts";
import { operationGroups } from "../packages/server/src/app/operations.ts";

/** Every operation of the service. */
export const operations = [...operationGroups.flatMap((group) => group.operations), ...dashboardOperations];
