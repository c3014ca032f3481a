import { bubblewrap } from "./bubblewrap.ts";
import { namespaces } from "./namespaces.ts";
import type { SandboxDriver } from "./sandbox.ts";

/** Ways to make boxes, best first: bubblewrap filters system calls too. */
export const sandboxDrivers: readonly SandboxDriver[] = [bubblewrap, namespaces];
