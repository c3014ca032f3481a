import { register } from "tsx/esm/api";

register();
export const { index, closeFile, excerpts, excerptsOf, removeTeam, search, vectors } =
  await import("./worker.ts");
