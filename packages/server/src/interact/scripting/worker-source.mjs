import { register } from "tsx/esm/api";

register();
await import("./interpreter-worker.ts");
