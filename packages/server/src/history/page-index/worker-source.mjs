import { register } from "tsx/esm/api";

register();
export const { add, closeFile, entries, excerpts, excerptsOf, remove, removeTeam, search, vectors } =
  await import("./worker.ts");
