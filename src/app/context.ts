import type { Config } from "../config/config.ts";
import type { Log } from "../kit/log/log.ts";
import type { Resources } from "../kit/resources.ts";

/** What every part of the service is opened with. */
export interface AppContext {
  readonly config: Config;
  readonly log: Log;
  /** Closes what the parts have opened, newest first. */
  readonly resources: Resources;
}

/** Logs failures that end no request. */
export function reporter(log: Log, message: string): (failure: unknown) => void {
  return (failure) => log.error({ err: failure }, message);
}
