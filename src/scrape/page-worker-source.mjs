import { register } from "tsx/esm/api";

register();
export const { computeViews, getReady } = await import("./page-worker.ts");
