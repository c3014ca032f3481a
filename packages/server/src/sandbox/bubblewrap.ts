import { CALL_TABLES } from "./denied-calls.ts";
import { WITHIN_LIMITS } from "./limits.ts";
import {
  BOX_DEVICES,
  BOX_DISK_BYTES,
  BOX_HOME,
  BOX_VARIABLES,
  type BoxPlan,
  type Mount,
  type SandboxDriver,
} from "./sandbox.ts";
import { assembleFilter } from "./seccomp.ts";

/** File descriptor on which a launch passes the filter. */
const FILTER_DESCRIPTOR = "4";

/**
 * Makes boxes with bubblewrap.
 * NOTE: bubblewrap's first process keeps its initial environment, and code can read that, so the caller must
 * have emptied it. `--dev` and the root are memory without a limit. Devices are therefore bound one by one,
 * and the root is read-only. Code gets a separate session; its first process stays in the group that ends as
 * a whole.
 */
export const bubblewrap: SandboxDriver = {
  name: "bubblewrap",
  programs: ["bwrap", "setsid", "nice", "prlimit"],
  remedy: "Install bubblewrap (Debian: apt install bubblewrap).",
  launch(plan) {
    const table = CALL_TABLES[process.arch];
    const filter = table && assembleFilter(table);
    return {
      program: "bwrap",
      args: [
        ...words("--unshare-all --die-with-parent --clearenv --cap-drop ALL"),
        ...(filter ? ["--seccomp", FILTER_DESCRIPTOR] : []),
        ...files(plan),
        ...words(`--proc /proc --size ${BOX_DISK_BYTES} --perms 0700 --tmpfs ${BOX_HOME}`),
        ...words(`--remount-ro / --chdir ${BOX_HOME} --hostname box -- /usr/bin/setsid /usr/bin/env -i`),
        ...BOX_VARIABLES,
        ...WITHIN_LIMITS,
        ...plan.command,
      ],
      ...(filter && { filter }),
    };
  },
};

function files({ system, mounts }: BoxPlan): readonly string[] {
  const readOnly = ({ from, to }: Mount) => ["--ro-bind", from, to];
  return [
    ...system.folders.flatMap((path) => readOnly({ from: path, to: path })),
    ...system.links.flatMap(({ path, target }) => ["--symlink", target, path]),
    ...BOX_DEVICES.flatMap((name) => ["--dev-bind", `/dev/${name}`, `/dev/${name}`]),
    ...words("--symlink /proc/self/fd /dev/fd"),
    ...mounts.flatMap(readOnly),
  ];
}

function words(text: string): readonly string[] {
  return text.split(" ");
}
