import type { Account } from "@pergamon-dev/browser/launch/account";
import type { BoxGroups } from "./box-groups.ts";

/** A file or folder of this machine that a box can read, and where it finds it. */
export interface Mount {
  readonly from: string;
  readonly to: string;
}

/** What runs in a box. */
interface BoxOrder {
  /** Program and arguments, as paths of the box. */
  readonly command: readonly string[];
  /** What the box sees besides the system's programs and libraries. Nothing of it can be written. */
  readonly mounts: readonly Mount[];
}

/** What a driver gets to know of a box. */
export interface BoxPlan extends BoxOrder {
  /** Folders and links of the system that every box has. */
  readonly system: SystemFolders;
  /** An empty folder outside that a driver may mount something over. */
  readonly mountPoint: string;
}

/** Programs and libraries of the system, without its settings. */
export interface SystemFolders {
  readonly folders: readonly string[];
  /** Path in the box → what it points to. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** How a box is started on this machine. */
export interface BoxLaunch {
  readonly program: string;
  readonly args: readonly string[];
  /** What the program reads on its file descriptor 4, if anything. */
  readonly filter?: Uint8Array;
}

/** A way of making boxes. Whether it holds on this machine is what the self-test finds out. */
export interface SandboxDriver {
  readonly name: string;
  /** Programs that have to be on this machine. */
  readonly programs: readonly string[];
  /** How to get them, for the doctor. */
  readonly remedy: string;
  launch(plan: BoxPlan): BoxLaunch;
}

/** A driver on this machine, and whom its boxes run as. */
export interface Sandbox {
  readonly driver: SandboxDriver;
  readonly system: SystemFolders;
  /** Undefined: as this process. */
  readonly account: Account | undefined;
  /** Undefined where there are none: what a box takes is counted then. */
  readonly groups?: BoxGroups;
}

/** Where code finds itself, and all that it can write. */
export const BOX_HOME = "/tmp";
/** What is there for the box alone. */
export const BOX_FOLDER = "/opt/box";
/** All variables of a box. */
export const BOX_VARIABLES = [
  `HOME=${BOX_HOME}`,
  `PATH=${BOX_FOLDER}/bin:/usr/bin:/bin`,
  "LANG=C.UTF-8",
] as const;
/** What code can write together; it is memory. */
export const BOX_DISK_BYTES = 128 * 1024 * 1024;
/** Devices that every program may expect. */
export const BOX_DEVICES = ["null", "zero", "random", "urandom"] as const;
