import type { Config } from "./config.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import type { Resources } from "@pergamon-dev/kit/resources";
import type { HeldBodies } from "../api/held-bodies.ts";
import type { JobKind } from "../jobs/job-kind.ts";
import type { PageThreads, TextThreads } from "../scrape/page/threads.ts";
import type { IndexThread } from "../history/page-index/index-thread.ts";

/** Threads that services in one process share. They stay open when one service closes. */
export interface RemoteThreads {
  readonly pageThreads: PageThreads & TextThreads;
  readonly indexThread: IndexThread;
}

/** Context that every feature is opened with. Each feature adds its services for the next ones. */
export interface Context {
  readonly config: Config;
  readonly log: Log;
  /** Closes the resources of all features, newest first. */
  readonly resources: Resources;
  readonly bodies: HeldBodies;
  /** Kinds of jobs that the service has. */
  readonly kinds: readonly JobKind[];
  /** When undefined, the service opens its own. */
  readonly lent?: RemoteThreads | undefined;
}

/** Logs failures that end no request. */
export function reporter(log: Log, message: string): (failure: unknown) => void {
  return (failure) => log.error({ err: failure }, message);
}
