import { register } from "tsx/esm/api";

register();
export const { check, getReady, matches, mend, parse } = await import("./worker.ts");
