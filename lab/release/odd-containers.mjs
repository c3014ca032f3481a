import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { limitMemory } from "./image.mjs";
import { expect, findProgram, ROOT, run, Skip } from "./tools.mjs";

const OTHER_USER = 12_345;
const AS_OTHER_USER = `setpriv --reuid=${OTHER_USER} --regid=${OTHER_USER} --clear-groups`;
const HOUR_MS = 3_600_000;

/**
 * Containers that lack something: what prepares them (a shell in mounts and a network of their own; `$WORK` and `$DATA_DIR` are
 * folders), what runs the probe, and what has to be: it starts and scrapes, perhaps saying what is limited, or refuses with a sentence.
 */
const CONTAINERS = [
  { name: "256 MB of memory", megabytes: 256, starts: true },
  { name: "no /dev/shm", prepare: "mount -t tmpfs -o ro,size=4k tmpfs /dev/shm", starts: true },
  { name: "a read-only root", prepare: "mount --bind / / && mount --bind $DATA_DIR $DATA_DIR && mount -t tmpfs tmpfs /tmp && mkdir -p $DATA_DIR && mount -t tmpfs tmpfs $DATA_DIR && mount -o remount,bind,ro /", starts: true },
  { name: "another user", prepare: `chown ${OTHER_USER} $DATA_DIR`, as: AS_OTHER_USER, starts: true },
  { name: "another user, whose volume is somebody else's", prepare: "chown 54321 $DATA_DIR && chmod 700 $DATA_DIR", as: AS_OTHER_USER, says: /EACCES|permission|written|DATA_DIR/i },
  { name: "a full volume", prepare: "mount -t tmpfs -o size=64k tmpfs $DATA_DIR", says: /full|ENOSPC|space/i },
  { name: "a clock that is an hour ahead", shiftMs: HOUR_MS, starts: true },
  { name: "a clock that is an hour behind", shiftMs: -HOUR_MS, starts: true },
  { name: "no IPv6", prepare: "sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.lo.disable_ipv6=1 || true", starts: true },
  { name: "no DNS", prepare: ": > $WORK/empty && mount --bind $WORK/empty /etc/resolv.conf", starts: true },
];

/**
 * Starts the built service in containers that lack something.
 * @param {import("./main.mjs").Release} release
 */
export async function oddContainers({ work, isShort, note }) {
  if (isShort) throw new Skip("left out by --short");
  if (process.getuid() !== 0) throw new Skip("only root can make mounts of its own");
  for (const name of ["unshare", "setpriv", "mount", "ip"]) if (!findProgram(name)) throw new Skip(`${name} is not on PATH`);
  await run("node", ["bin/build.mjs"], { cwd: ROOT });
  chmodSync(work, 0o755);
  const wrong = [];
  for (const [at, container] of CONTAINERS.entries()) {
    const problem = await tryContainer(container, { folder: join(work, `odd-${at}`), note });
    if (problem) wrong.push(`${container.name}: ${problem}`);
  }
  expect(wrong.length === 0, wrong.join("; "));
  return { file: "dist/main.js" };
}

async function tryContainer({ name, prepare = "true", as = "", megabytes, shiftMs, starts, says }, { folder, note }) {
  const data = join(folder, "data");
  mkdirSync(data, { recursive: true });
  chownSync(data, 0, 0);
  const limited = megabytes ? limitMemory(megabytes * 1024 ** 2) : undefined;
  if (limited && !limited.folder) return void note("not tried", `${name}: ${limited.says}`);
  const clock = join(folder, "clock.mjs");
  if (shiftMs) writeFileSync(clock, `const now = Date.now; Date.now = () => now() + ${shiftMs};\n`);
  const script = [
    "set -e",
    ...(limited ? [`echo $$ > ${limited.folder}/cgroup.procs`] : []),
    "ip link set lo up",
    prepare,
    `exec ${as} ${process.execPath} ${join(ROOT, "lab/release/odd-probe.mjs")}`,
  ].join("\n");
  const env = { ...process.env, WORK: folder, DATA_DIR: data, HOME: data, CACHE_DIR: join(data, "cache"), NODE_OPTIONS: shiftMs ? `--import=${clock}` : "" };
  try {
    const found = JSON.parse((await run("unshare", ["--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", script], { env })).trim().split("\n").at(-1));
    const sentence = found.said.find((line) => says?.test(line)) ?? found.said.find((line) => /"level":(?:40|50)/.test(line) && !line.includes("Private targets"));
    note(name, `${found.isReady ? "starts and scrapes" : `refuses (${found.code})`}${sentence ? `; says: ${wordsOf(sentence)}` : ""}`);
    if (starts && !(found.isReady && found.page === 200)) return `it did not start and scrape: ${JSON.stringify(found).slice(0, 600)}`;
    if (says && !found.said.some((line) => says.test(line))) return `nothing of it is said: ${JSON.stringify(found).slice(0, 600)}`;
    return undefined;
  } catch (error) {
    return error.message;
  } finally {
    limited?.remove();
  }
}

function wordsOf(line) {
  return (/"msg":"([^"]*)"/.exec(line)?.[1] ?? line).slice(0, 160);
}
