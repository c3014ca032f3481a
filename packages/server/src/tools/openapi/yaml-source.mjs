import { register } from "tsx/esm/api";

register();
await import("./yaml-worker.ts");
