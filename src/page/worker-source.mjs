import { register } from "tsx/esm/api";

register();
export const { compareVersions, computeViews, getReady, matchPatterns } = await import("./worker.ts");
