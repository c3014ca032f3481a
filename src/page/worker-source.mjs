import { register } from "tsx/esm/api";

register();
export const { compareVersions, computeViews, getReady } = await import("./worker.ts");
