import { register } from "tsx/esm/api";

register();
export const { computeViews, getReady } = await import("./worker.ts");
