import type { Config } from "./config.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import type { Resources } from "@pergamon-dev/kit/resources";
import type { HeldBodies } from "../api/held-bodies.ts";
import type { JobKind } from "../jobs/job-kind.ts";
import type { PageThreads, PatternThreads, VersionThreads } from "../scrape/page/threads.ts";
import type { IndexThread } from "../history/page-index/index-thread.ts";

/** What services that run in one process share. It stays open when one of them closes. */
export interface RemoteThreads {
  readonly pageThreads: PageThreads & VersionThreads & PatternThreads;
  readonly indexThread: IndexThread;
}

/** What every feature is opened with. Each adds its services for the next ones. */
export interface Context {
  readonly config: Config;
  readonly log: Log;
  /** Closes what the features have opened, newest first. */
  readonly resources: Resources;
  readonly bodies: HeldBodies;
  /** Kinds of jobs that the service has. */
  readonly kinds: readonly JobKind[];
  /** Undefined: the service opens its own. */
  readonly lent?: RemoteThreads | undefined;
}

/** Logs failures that end no request. */
export function reporter(log: Log, message: string): (failure: unknown) => void {
  return (failure) => log.error({ err: failure }, message);
}
