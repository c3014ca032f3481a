import { register } from "tsx/esm/api";

register();
export const { getReady, matches, mend, parse } = await import("./worker.ts");
