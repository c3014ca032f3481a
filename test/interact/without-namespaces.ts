import { spawnSync } from "node:child_process";

import { isRoot } from "../../packages/browser/src/launch/account.ts";

/**
 * Who may make namespaces decides that in those it has made. Root keeps all its users there, which somebody outside has to
 * write down; the names of processes stay, so that a shell can do it for the one that it becomes.
 */
const FOR_ROOT = `
map=$$
(
  until [ "$(readlink /proc/$map/ns/user)" != "$(readlink /proc/self/ns/user)" ]; do sleep 0.05; done
  for kind in gid uid; do echo 0 0 4294967295 > /proc/$map/\${kind}_map; done
) &
exec unshare --user sh -c '
  until grep -q . /proc/self/uid_map; do sleep 0.05; done
  exec sh -c "echo 0 > /proc/sys/user/max_user_namespaces && exec \\"\\$@\\"" sh "$@"
' sh "$@"`;

/** Others are root in the first they make, leave one more to be made, and are themselves again in that. */
const FOR_OTHERS = `
user=$(id -u) group=$(id -g)
export user group
exec unshare --user --map-root-user sh -c '
  echo 1 > /proc/sys/user/max_user_namespaces
  exec unshare --user --map-user=$user --map-group=$group "$@"
' sh "$@"`;

/** Put before a command, starts it where the kernel refuses namespaces, so that no box can be made. */
export function withoutNamespaces(): readonly string[] {
  const launcher = ["/bin/sh", "-c", isRoot() ? FOR_ROOT : FOR_OTHERS, "sh"];
  // Where that is refused, so are boxes.
  return runs([...launcher, "true"]) ? launcher : [];
}

function runs([program = "", ...parameters]: readonly string[]): boolean {
  return spawnSync(program, parameters, { stdio: "ignore", timeout: 10_000 }).status === 0;
}
