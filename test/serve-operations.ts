export { addBehind } from "../src/http/add-behind.ts";
export { addOperations } from "../src/http/add-operations.ts";
