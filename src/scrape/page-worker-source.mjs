import { register } from "tsx/esm/api";

register();
export const { computeViews } = await import("./page-worker.ts");
