export { addBehind } from "../packages/server/src/http/add-behind.ts";
export { addOperations } from "../packages/server/src/http/add-operations.ts";
