import { lstat, readlink } from "node:fs/promises";

import { locateProgram } from "@pergamon-dev/kit/process/programs";
import { isReadableBy, isRoot, NOBODY } from "@pergamon-dev/browser/launch/account";
import { makeBoxFolder } from "./box-folder.ts";
import { sandboxDrivers } from "./drivers.ts";
import type { Sandbox, SandboxDriver, SystemFolders } from "./sandbox.ts";
import { escapesIn, runProbes } from "./self-test.ts";

/**
 * Search path of drivers' programs. Some are the administrator's, whose folders may be missing from the
 * users' PATH.
 */
const PROGRAM_FOLDERS = "/usr/bin:/bin:/usr/sbin:/sbin";

/**
 * A sandbox that has resisted every probe on this machine, or the reason why there is none, with a remedy.
 */
export type SandboxVerdict =
  | { readonly sandbox: Sandbox }
  | { readonly sandbox: undefined; readonly reason: string; readonly remedy: string };

/** Opens the first driver that passes the self-test. It fails closed: without proof there is no sandbox. */
export async function openSandbox(
  drivers: readonly SandboxDriver[] = sandboxDrivers,
): Promise<SandboxVerdict> {
  if (process.platform !== "linux") {
    return {
      sandbox: undefined,
      reason: `boxes need Linux, this is ${process.platform}`,
      remedy: "Run the service on Linux.",
    };
  }
  const failures: { readonly reason: string; readonly remedy: string }[] = [];
  for (const driver of drivers) {
    const found = await tryDriver(driver);
    if (typeof found !== "string") return { sandbox: found };
    failures.push({ reason: `${driver.name}: ${found}`, remedy: driver.remedy });
  }
  const reason = failures.map((failure) => failure.reason).join("; ");
  return { sandbox: undefined, reason, remedy: remedyOf(reason, failures[0]?.remedy) };
}

/** Finds a sandbox of this driver without the self-test. @returns the reason in words when there is none. */
export async function findSandbox(driver: SandboxDriver): Promise<Sandbox | string> {
  const account = isRoot() ? NOBODY : undefined;
  for (const program of driver.programs) {
    if (!(await locateProgram(program, PROGRAM_FOLDERS))) return `${program} is not installed`;
  }
  if (account && !(await isReadableBy(account, process.execPath)))
    return `only root can read ${process.execPath}, and sandboxes run as the user nobody`;
  return { driver, system: await findSystemFolders(), account };
}

async function tryDriver(driver: SandboxDriver): Promise<Sandbox | string> {
  const sandbox = await findSandbox(driver);
  if (typeof sandbox === "string") return sandbox;
  const folder = await makeBoxFolder(sandbox.account);
  try {
    const escapes = escapesIn(await runProbes(sandbox, folder));
    return escapes.length === 0 ? sandbox : `code in it ${escapes.join(", ")}`;
  } catch (failure) {
    return `does not start: ${(failure as Error).message}`;
  } finally {
    await folder.remove();
  }
}

/** Maps common error messages of the programs to remedies. */
function remedyOf(reason: string, ofDriver = ""): string {
  if (!isForbidden(reason)) return ofDriver;
  return "Allow user namespaces: `sysctl user.max_user_namespaces=15000` where they are disabled, on Ubuntu `sysctl kernel.apparmor_restrict_unprivileged_userns=0`, in Docker `--security-opt seccomp=unconfined --security-opt systempaths=unconfined`.";
}

/** True when a program's message says that the system forbids making a box. */
export function isForbidden(complaint: string): boolean {
  return /not permitted|permission denied|no space left|ENOSPC/i.test(complaint);
}

const PROGRAMS_AND_LIBRARIES = ["/usr/bin", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo"];
/** Links into `/usr` on most systems, real folders on others. */
const ROOT_FOLDERS = ["/bin", "/lib", "/lib64"];

/**
 * Finds the system folders of every box: programs and libraries. Nothing of `/etc`, `/home`, `/root`, `/var`
 * is included.
 */
async function findSystemFolders(): Promise<SystemFolders> {
  const found = await Promise.all([...PROGRAMS_AND_LIBRARIES, ...ROOT_FOLDERS].map(look));
  return {
    folders: found.flatMap((one) => (one?.kind === "folder" ? [one.path] : [])),
    links: found.flatMap((one) => (one?.kind === "link" ? [{ path: one.path, target: one.target }] : [])),
  };
}

async function look(path: string) {
  const status = await lstat(path).catch(() => undefined);
  if (status?.isSymbolicLink()) return { kind: "link", path, target: await readlink(path) } as const;
  return status?.isDirectory() ? ({ kind: "folder", path } as const) : undefined;
}
