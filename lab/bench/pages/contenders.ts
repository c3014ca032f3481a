import { join } from "node:path";

import { processTree } from "../../../test/process-tree.ts";
import { type ServerProcess, startService } from "../processes.ts";
import { buildOfCommit } from "./commit-build.ts";
import { PEER, startPeer } from "./peer.ts";
import { type ThreadTimes, threadTimes } from "./thread-times.ts";

/** A service under measurement. */
export interface Contender {
  readonly name: string;
  readonly service: ServerProcess;
  /** Processor time so far. */
  times(): ThreadTimes;
  megabytes(): number;
}

export const THIS_BUILD = "this build";

/**
 * This build, the build of another commit, and the peer where it is installed; each with an empty store. Those that were
 * started are reported one by one, so that they can be stopped should the next one fail.
 * @throws when the commit cannot be built.
 */
export async function* startContenders(
  folder: string,
  against: string | undefined,
): AsyncGenerator<Contender, void> {
  yield startBuild(THIS_BUILD, join(import.meta.dirname, "../../.."), folder);
  if (against !== undefined) yield startBuild(against, buildOfCommit(against), folder);
  const peer = await startPeer();
  if (peer) yield { name: PEER, service: peer, ...wholeProcess(peer) };
}

async function startBuild(name: string, root: string, folder: string): Promise<Contender> {
  const threadsFile = join(folder, `${name.replaceAll(/\W/g, "-")}.jsonl`);
  const changes = {
    BENCH_THREADS_FILE: threadsFile,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, "thread-kinds.mjs")}`,
  };
  const service = await startService(changes, [join(root, "bin/run.mjs"), "start"]);
  const whole = wholeProcess(service);
  return {
    name,
    service,
    ...whole,
    times() {
      const { main, page, V8 } = threadTimes(threadsFile);
      // Threads that have ended count only in the time of the process.
      return { main, page, V8, others: whole.times().others - main - page - V8 };
    },
  };
}

export function wholeProcess(service: ServerProcess): Pick<Contender, "times" | "megabytes"> {
  const tree = processTree(service.pid);
  return {
    times: () => ({ main: 0, page: 0, V8: 0, others: tree.cpuMs() }),
    megabytes: () => tree.ownMegabytes(),
  };
}
