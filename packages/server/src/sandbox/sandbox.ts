import type { Account } from "@pergamon-dev/browser/launch/account";
import type { BoxGroups } from "./box-groups.ts";

/** A readable file or folder of this machine, with its path in the box. */
export interface Mount {
  readonly from: string;
  readonly to: string;
}

interface BoxOrder {
  /** Program and arguments, as paths of the box. */
  readonly command: readonly string[];
  /** Paths visible in the box besides the system's programs and libraries. All are read-only. */
  readonly mounts: readonly Mount[];
}

/** A box as its driver sees it. */
export interface BoxPlan extends BoxOrder {
  /** Folders and links of the system that every box has. */
  readonly system: SystemFolders;
  /** An empty folder outside over which a driver may mount something. */
  readonly mountPoint: string;
}

/** Programs and libraries of the system, without its settings. */
export interface SystemFolders {
  readonly folders: readonly string[];
  /** Path in the box → its target. */
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** Command that starts a box on this machine. */
export interface BoxLaunch {
  readonly program: string;
  readonly args: readonly string[];
  /** Bytes for the program's file descriptor 4, if any. */
  readonly filter?: Uint8Array;
}

/** A way to make boxes. The self-test decides whether it is safe on this machine. */
export interface SandboxDriver {
  readonly name: string;
  /** Programs that must be installed. */
  readonly programs: readonly string[];
  /** Instructions to install them, for the doctor. */
  readonly remedy: string;
  launch(plan: BoxPlan): BoxLaunch;
}

/** A driver on this machine, with the user of its boxes. */
export interface Sandbox {
  readonly driver: SandboxDriver;
  readonly system: SystemFolders;
  /** When undefined, boxes run as this process does. */
  readonly account: Account | undefined;
  /** Undefined where the kernel offers none. The resources of a box are then counted. */
  readonly groups?: BoxGroups;
}

/** Working folder of code, and the only place that it can write to. */
export const BOX_HOME = "/tmp";
/** Folder of files for the box alone. */
export const BOX_FOLDER = "/opt/box";
/** All environment variables of a box. */
export const BOX_VARIABLES = [
  `HOME=${BOX_HOME}`,
  `PATH=${BOX_FOLDER}/bin:/usr/bin:/bin`,
  "LANG=C.UTF-8",
] as const;
/** Maximum of all files written by code. They are held in memory. */
export const BOX_DISK_BYTES = 128 * 1024 * 1024;
/** Devices that every program may expect. */
export const BOX_DEVICES = ["null", "zero", "random", "urandom"] as const;
