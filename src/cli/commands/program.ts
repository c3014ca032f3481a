import type { Administration } from "../../accounts/administration.ts";
import type { Config } from "../../config/config.ts";
import type { ScrapeData } from "../../scrape/answer/schema.ts";
import type { Log } from "../../kit/log.ts";

/** The opened service. */
export interface Service {
  /** Starts to listen. @returns the base URL. */
  listen(): Promise<string>;
  /** Finishes what is under way, then closes everything. */
  close(): Promise<void>;
  readonly log: Log;
  /** The operator's key, when it was made by this start. */
  readonly freshAdminKey: string | undefined;
}

/** What commands can do. Composed above; commands know only this. */
export interface Program {
  readonly config: Config;
  open(): Promise<Service>;
  /** Scrapes in this process. The body is that of `POST /v2/scrape`. */
  scrape(body: Readonly<Record<string, unknown>>): Promise<ScrapeData>;
  migrate(): Promise<void>;
  /** Works on teams and keys, with the id of the team that keys belong to unless told otherwise. */
  administer<T>(work: (administration: Administration, defaultTeamId: string) => Promise<T>): Promise<T>;
  /** Makes a new operator key. It is told this once. */
  makeAdminKey(): Promise<string>;
}
