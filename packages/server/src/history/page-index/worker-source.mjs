import { register } from "tsx/esm/api";

register();
export const { index, closeFile, excerpts, excerptsOf, removeTeam, search } = await import("./worker.ts");
