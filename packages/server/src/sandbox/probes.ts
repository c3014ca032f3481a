import { execFileSync } from "node:child_process";
import {
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { lookup } from "node:dns/promises";
import { connect, type NetConnectOpts } from "node:net";
import { networkInterfaces } from "node:os";

import type { Decoys } from "./decoys.ts";
import { LIMIT_LINES } from "./limits.ts";
import { BOX_DISK_BYTES, BOX_FOLDER, BOX_HOME, BOX_VARIABLES } from "./sandbox.ts";

/** A reachable target outside would answer within this time. */
const CONNECT_LIMIT_MS = 3000;
const METADATA_SERVICE = { host: "169.254.169.254", port: 80 };

/** Tries one way out of a box from within. It returns or throws the obstacle; `undefined` means an escape. */
type Probe = (decoys: Decoys) => string | undefined | Promise<string | undefined>;

/** Every known way out. A box in which one of them succeeds is not used. */
export const probes: Readonly<Record<string, Probe>> = {
  "reads a file of the service": ({ file }) => refused(() => readFileSync(file)),
  "reads a file of the service through a link": ({ file }) =>
    refused(() => {
      symlinkSync(file, `${BOX_HOME}/link`);
      readFileSync(`${BOX_HOME}/link`);
    }),
  "reads a file of the service through the root of a process": ({ file }) =>
    everyProcess((pid) => refused(() => readFileSync(`/proc/${pid}/root${file}`))),
  "lists the folder of the service": ({ folder }) => refused(() => readdirSync(folder)),
  "reads users of the machine": () => refused(() => readFileSync("/etc/passwd")),
  "reads passwords of the machine": () => refused(() => readFileSync("/etc/shadow")),
  "finds folders of people": () => only(["/"], ["bin", "dev", "lib", "lib64", "opt", "proc", "tmp", "usr"]),
  "finds programs of the operator": () =>
    only(["/usr", "/usr/share"], ["bin", "lib", "lib64", "share", "zoneinfo"]),
  "reads variables of the service": () => everyProcess(foreignVariables),
  "sees processes of the machine": ({ secret }) =>
    everyProcess((pid) => {
      const isForeign =
        pid !== String(process.pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(secret);
      return isForeign ? undefined : "not seen";
    }),
  "signals the service": ({ pid }) => refused(() => process.kill(pid, 0), "ESRCH"),
  "connects to a port of this machine": ({ port }) => unreachable({ host: "127.0.0.1", port }),
  "connects to a port of this machine by IPv6": ({ port }) => unreachable({ host: "::1", port }),
  "connects to a socket in a folder": ({ socketPath }) => unreachable({ path: socketPath }),
  "connects to a socket without a folder": ({ abstractName }) => unreachable({ path: `\0${abstractName}` }),
  "asks the metadata service": () => unreachable(METADATA_SERVICE),
  "resolves a name": async () => {
    const answer = await lookup("example.com").catch((failure: Error) => failure);
    return answer instanceof Error ? answer.message : undefined;
  },
  "has a network": () => {
    const addresses = Object.values(networkInterfaces()).flat();
    return addresses.every((address) => address?.internal) ? "none but its own loopback" : undefined;
  },
  "writes outside its folder": () => everyMount(),
  "writes to a program of the system": () => refused(() => writeFileSync("/usr/bin/env", "", { flag: "a" })),
  "writes to what runs in the box": () => refused(() => writeFileSync(`${BOX_FOLDER}/new`, "")),
  "writes to the root": () => refused(() => writeFileSync("/new", "")),
  "writes to devices": () => refused(() => writeFileSync("/dev/new", "")),
  "changes settings of the kernel": () =>
    refused(() => writeFileSync("/proc/sys/kernel/core_pattern", "|/tmp/x")),
  "allows itself more namespaces": () =>
    refused(() => writeFileSync("/proc/sys/user/max_user_namespaces", "100")),
  "mounts a file system": () => fails("mount", "-t", "tmpfs", "none", BOX_HOME),
  "makes a user namespace": () => fails("unshare", "--user", "true"),
  "makes a mount namespace": () => fails("unshare", "--mount", "true"),
  "enters namespaces of the first process": () =>
    fails("nsenter", "--target", "1", "--mount", "--pid", "true"),
  "makes a device": () => fails("mknod", `${BOX_HOME}/disk`, "b", "8", "0"),
  "opens memory or logs of the kernel": () =>
    ["/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/fuse", "/proc/kmsg"]
      .map((path) => refused(() => openSync(path, "r")))
      .reduce(both),
  "sees the machine's hardware": () => refused(() => readdirSync("/sys")),
  "opens a terminal": () => refused(() => openSync("/dev/tty", "r")),
  "sees shared memory of others": () =>
    readFileSync("/proc/sysvipc/shm", "utf8").trim().split("\n").length === 1 ? "none" : undefined,
  "has inherited files": () => inheritedFiles(),
  "has a right": () =>
    statusLines(/^Cap(?:Inh|Prm|Eff|Bnd|Amb):\s+0+$/gm).length === 5 ? "no capabilities" : undefined,
  "can get rights": () => (statusLines(/^NoNewPrivs:\s+1$/gm).length === 1 ? "no new privileges" : undefined),
  "may call everything of the kernel": () =>
    statusLines(/^Seccomp:\s+2$/gm).length === 1 ? "filtered" : undefined,
  "makes memory that belongs to no process": () => fails("ipcmk", "--shmem", "4096"),
  "has no limits": () => {
    const text = readFileSync("/proc/self/limits", "utf8");
    return LIMIT_LINES.every((line) => line.test(text)) ? "limited" : undefined;
  },
  "has a disk without a limit": () => {
    const { blocks, bsize } = statfsSync(BOX_HOME);
    return blocks * bsize <= BOX_DISK_BYTES ? "limited" : undefined;
  },
};

/** Returns the obstacle; undefined when the attempt succeeded. */
function refused(attempt: () => unknown, code?: string): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (failure) {
    const { code: found, status } = failure as NodeJS.ErrnoException & { readonly status?: number };
    return code === undefined || found === code ? (found ?? `status ${status}`) : undefined;
  }
}

function fails(program: string, ...args: readonly string[]): string | undefined {
  return refused(() => execFileSync(program, args, { stdio: "ignore", timeout: 5000 }));
}

function both(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined ? undefined : other;
}

function everyProcess(look: (pid: string) => string | undefined): string | undefined {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return look(pid);
      } catch (failure) {
        return String((failure as NodeJS.ErrnoException).code);
      }
    })
    .reduce(both, "none");
}

function foreignVariables(pid: string): string | undefined {
  const own = new Set(BOX_VARIABLES.map((variable) => variable.split("=", 1)[0]));
  const names = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
  const foreign = names
    .map((variable) => variable.split("=", 1)[0])
    .filter((name) => !own.has(name as never));
  // The box's launcher sets PATH, and a driver's shell sets its own variables.
  return foreign.every((name) => ["PATH", "PWD", "OLDPWD", "SHLVL", "_"].includes(name ?? ""))
    ? "its own"
    : undefined;
}

function only(folders: readonly string[], names: readonly string[]): string | undefined {
  const found = folders.flatMap((folder) => readdirSync(folder));
  return found.every((name) => names.includes(name)) ? found.join(" ") : undefined;
}

/** Every mount must be read-only, except the folder of the box, its processes and its devices. */
function everyMount(): string | undefined {
  const lines = readFileSync("/proc/self/mounts", "utf8").trim().split("\n");
  const writable = lines
    .map((line) => line.split(" "))
    .filter(([, path, , options]) => options?.split(",").includes("rw") && !isHarmless(path ?? ""));
  return writable.length === 0 ? "read-only" : undefined;
}

function isHarmless(path: string): boolean {
  return (
    path === BOX_HOME || path === "/proc" || (path.startsWith("/dev/") && lstatSync(path).isCharacterDevice())
  );
}

/** Only pipes, sockets and the files that this program opened are allowed. */
function inheritedFiles(): string | undefined {
  const targets = readdirSync("/proc/self/fd").map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return "";
    }
  });
  const foreign = targets.filter(
    (target) => target.startsWith("/") && !/^\/(?:dev\/null|proc\/)/.test(target),
  );
  return foreign.length === 0 ? "none" : undefined;
}

function statusLines(pattern: RegExp): readonly string[] {
  return readFileSync("/proc/self/status", "utf8").match(pattern) ?? [];
}

function unreachable(target: NetConnectOpts): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(target);
    const settle = (outcome: string | undefined) => {
      socket.destroy();
      resolve(outcome);
    };
    socket.setTimeout(CONNECT_LIMIT_MS, () => settle("no answer"));
    socket.once("connect", () => settle(undefined));
    socket.once("error", (failure: NodeJS.ErrnoException) => settle(failure.code ?? failure.message));
  });
}
