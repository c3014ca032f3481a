import { dirname } from "node:path";

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

/** Names in `/tmp` of a box; each takes memory that its size does not count. */
const MOST_FILES = 20_000;

/** The first process stays a shell: it collects what others leave behind, and the kernel spares it from its own kind. */
const WITHOUT_RIGHTS =
  "/usr/bin/setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs -- " +
  `/bin/sh -c '"$@"; exit $?' sh /usr/bin/setsid`;

const INTO_NAMESPACES =
  "--user --map-root-user --mount --pid --net --ipc --uts --cgroup --fork --kill-child /bin/sh -c";

/**
 * Boxes by the kernel's namespaces alone, with util-linux, which Debian and most others always have. There is no filter
 * of system calls; that no namespaces can be made inside closes what one would be needed for.
 */
export const namespaces: SandboxDriver = {
  name: "namespaces",
  programs: ["unshare", "setpriv", "nice", "prlimit", "setsid", "pivot_root"],
  remedy: "Install util-linux.",
  launch: (plan) => ({
    program: "unshare",
    args: [...INTO_NAMESPACES.split(" "), script(plan)],
  }),
};

/** Builds the root in memory, enters it, gives up every right, and starts the command. */
function script({ system, mounts, mountPoint, command }: BoxPlan): string {
  const inside = (path: string) => quote(`${mountPoint}${path}`);
  const readOnly = ({ from, to }: Mount) => [
    `if [ -d ${quote(from)} ]; then mkdir -p ${inside(to)}; else mkdir -p ${inside(dirname(to))}; : > ${inside(to)}; fi`,
    `mount --rbind ${quote(from)} ${inside(to)}`,
    `mount -o remount,bind,ro,nosuid,nodev ${inside(to)}`,
    // What is mounted below it came along as it was.
    `while read -r _ point _ options _; do case "$options $point" in rw*" "${inside(to)}/*) ` +
      'mount -o remount,bind,ro,nosuid,nodev "$point";; esac; done < /proc/self/mounts',
  ];
  const device = (name: string) => [
    `: > ${inside(`/dev/${name}`)}`,
    `mount --bind /dev/${name} ${inside(`/dev/${name}`)}`,
  ];
  return [
    "set -e",
    "umask 022",
    `mount -t tmpfs -o size=1m,mode=755,nosuid,nodev none ${inside("")}`,
    `mkdir -p ${inside("/proc")} ${inside("/dev")} ${inside(BOX_HOME)} ${inside("/old")}`,
    ...system.folders.flatMap((path) => readOnly({ from: path, to: path })),
    ...system.links.map(({ path, target }) => `ln -s ${quote(target)} ${inside(path)}`),
    ...BOX_DEVICES.flatMap(device),
    `ln -s /proc/self/fd ${inside("/dev/fd")}`,
    ...mounts.flatMap(readOnly),
    `mount -t proc -o nosuid,nodev,noexec none ${inside("/proc")}`,
    `echo 0 > ${inside("/proc/sys/user/max_user_namespaces")}`,
    `mount -t tmpfs -o size=${BOX_DISK_BYTES},nr_inodes=${MOST_FILES},mode=700,nosuid,nodev none ${inside(BOX_HOME)}`,
    `cd ${inside("")}`,
    "pivot_root . old",
    "umount -l old",
    "rmdir old",
    "mount -o remount,bind,ro,nosuid,nodev /",
    `cd ${BOX_HOME}`,
    `exec ${WITHOUT_RIGHTS} /usr/bin/env -i ${[...BOX_VARIABLES, ...WITHIN_LIMITS, ...command].map(quote).join(" ")}`,
  ].join("\n");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
