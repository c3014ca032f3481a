import { register } from "tsx/esm/api";

register();
export const { add, entries, excerpts, excerptsOf, remove, removeTeam, search, vectors } =
  await import("./worker.ts");
