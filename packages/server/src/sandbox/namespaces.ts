import { dirname } from "node:path";

import { CALL_TABLES, type CallTable } from "./denied-calls.ts";
import { MAX_NAMES, WITHIN_LIMITS } from "./limits.ts";
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

/**
 * The first process stays a shell. It collects orphans, and the kernel protects it from signals of its
 * namespace.
 */
const WITHOUT_RIGHTS =
  "/usr/bin/setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs -- " +
  `/bin/sh -c '"$@"; exit $?' sh /usr/bin/setsid`;

const INTO_NAMESPACES =
  "--user --map-root-user --mount --pid --net --ipc --uts --cgroup --fork --kill-child /bin/sh -c";

/**
 * Installs the call filter from file descriptor 4, and starts the command. No other program of a small system
 * can. Structure (`struct sock_fprog`, linux/filter.h): the number of eight-byte instructions, and their
 * address.
 */
const WITH_FILTER = `open(F, "<&=4") or die; binmode(F); local $/; my $filter = <F>; close(F);
my $program = pack("S x6 P", length($filter) / 8, $filter);
syscall(shift(@ARGV) + 0, 1, 0, $program) == 0 or die("no filter: $!"); exec(@ARGV) or die($!)`;

/**
 * Makes boxes with kernel namespaces alone, through util-linux and perl, which Debian and most others always
 * have. On processors without a call filter, the self-test refuses these boxes.
 */
export const namespaces: SandboxDriver = {
  name: "namespaces",
  programs: ["unshare", "setpriv", "nice", "prlimit", "setsid", "pivot_root", "perl"],
  remedy: "Install util-linux and perl.",
  launch(plan) {
    const table = CALL_TABLES[process.arch];
    const filtered = { ...plan, command: [...withFilter(table), ...WITHIN_LIMITS, ...plan.command] };
    return {
      program: "unshare",
      args: [...INTO_NAMESPACES.split(" "), script(filtered)],
      ...(table && { filter: assembleFilter(table) }),
    };
  },
};

function withFilter(table: CallTable | undefined): readonly string[] {
  return table ? ["/usr/bin/perl", "-e", WITH_FILTER, "--", String(table.seccomp)] : [];
}

/** Builds the root in memory, enters it, gives up every right, and starts the command. */
function script({ system, mounts, mountPoint, command }: BoxPlan): string {
  const inside = (path: string) => quote(`${mountPoint}${path}`);
  const readOnly = ({ from, to }: Mount) => [
    `if [ -d ${quote(from)} ]; then mkdir -p ${inside(to)}; else mkdir -p ${inside(dirname(to))}; : > ${inside(to)}; fi`,
    `mount --rbind ${quote(from)} ${inside(to)}`,
    `mount -o remount,bind,ro,nosuid,nodev ${inside(to)}`,
    // Mounts below it were included with their own options.
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
    `mount -t tmpfs -o size=${BOX_DISK_BYTES},nr_inodes=${MAX_NAMES},mode=700,nosuid,nodev none ${inside(BOX_HOME)}`,
    `cd ${inside("")}`,
    "pivot_root . old",
    "umount -l old",
    "rmdir old",
    "mount -o remount,bind,ro,nosuid,nodev /",
    `cd ${BOX_HOME}`,
    `exec ${WITHOUT_RIGHTS} /usr/bin/env -i ${[...BOX_VARIABLES, ...command].map(quote).join(" ")}`,
  ].join("\n");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
