import { dashboardOperations } from "../src/admin/dashboard-operations.ts";
import { operationGroups } from "../src/app/operations.ts";

/** Every operation of the service. */
export const operations = [...operationGroups.flatMap((group) => group.operations), ...dashboardOperations];
