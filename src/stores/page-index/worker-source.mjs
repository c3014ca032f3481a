import { register } from "tsx/esm/api";

register();
export const { add, entries, excerpts, remove, removeTeam, search } = await import("./worker.ts");
