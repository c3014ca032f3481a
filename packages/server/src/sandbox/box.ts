import { spawn } from "node:child_process";
import type { Duplex, Readable, Writable } from "node:stream";

import type { BoxGroup, BoxGroups } from "./box-groups.ts";
import { killGroup } from "@pergamon-dev/kit/process/kill-group";
import type { BoxLaunch, Sandbox } from "./sandbox.ts";

/** The whole environment of a box's first program. */
const ENVIRONMENT = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" };
const KEPT_ERROR_CHARACTERS = 2000;

/**
 * Starts the program once file descriptor 5 says so, and beside it a process that kills their group when file
 * descriptor 5 closes.
 * NOTE: signals for the death of a parent are not enough, because the parent may die before they are
 * requested.
 */
const UNTIL_SERVICE_ENDS =
  'read -r _ <&5 || exit 1; { read -r _ <&5; kill -KILL 0; } >/dev/null 2>&1 3>&- 4>&- & exec "$@" 5<&-';

/** A program in a box, with all processes that it starts there. */
export interface Box {
  /** Both directions of its file descriptor 3. Any process in the box may have written the input. */
  readonly channel: Duplex;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Process id on this machine of the process that holds the box. */
  readonly pid: number | undefined;
  /** Resolves once nothing of the box is left, with the reason in words. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends everything in the box at once. */
  kill(): Promise<void>;
}

/**
 * Starts a box. It gets only what the launch names: no variables, no open files, no folder of ours. The
 * program's first output shows that it has started; `ended` says why it could not. The box ends with this
 * process, however early or abruptly this process ends.
 */
export function startBox({ account, groups }: Pick<Sandbox, "account" | "groups">, launch: BoxLaunch): Box {
  const command = ["-c", UNTIL_SERVICE_ENDS, "sh", launch.program, ...launch.args];
  const child = spawn("/bin/sh", command, {
    cwd: "/",
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "pipe", "pipe", launch.filter ? "pipe" : "ignore", "pipe"],
    // A separate process group, which can be ended as a whole.
    detached: true,
    ...account,
  });
  const [, stdout, stderr, channel, filter, lifeline] = child.stdio as unknown as StandardStreams;
  for (const stream of [stdout, stderr, channel, filter, lifeline]) stream?.on("error", () => undefined);
  child.once("exit", () => lifeline.destroy());
  filter?.end(launch.filter);
  const group = enterGroup(groups, child.pid);
  lifeline.write("\n");
  const complaint = keepLast(stderr);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (failure) => resolve(failure.message));
    child.once("close", (code, signal) => resolve(`${complaint() || "it said nothing"} (${signal ?? code})`));
  });
  void ended.then(() => group?.remove());
  const kill = async () => {
    killGroup(child.pid);
    // NOTE: a stream without a reader does not close.
    for (const stream of [stdout, stderr, channel]) stream.resume();
    channel.destroy();
    await ended;
  };
  return { channel, stdout, stderr, pid: child.pid, ended, kill };
}

type StandardStreams = readonly [null, Readable, Readable, Duplex, Writable | null, Duplex];

/** Undefined when the group cannot be used. The watch counts the box's resources in any case. */
function enterGroup(groups: BoxGroups | undefined, pid: number | undefined): BoxGroup | undefined {
  if (!groups || pid === undefined) return undefined;
  try {
    const group = groups.make();
    group.add(pid);
    return group;
  } catch {
    return undefined;
  }
}

function keepLast(stream: Readable): () => string {
  let text = "";
  stream.on("data", (bytes: Buffer) => {
    text = (text + bytes.toString("utf8")).slice(-KEPT_ERROR_CHARACTERS);
  });
  return () =>
    text
      .trim()
      .split(/\s*\n\s*/)
      .join(" ");
}
