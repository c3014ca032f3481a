import type { KeyEntry } from "../accounts/keys.ts";
import type { Config } from "../config.ts";
import type { ScrapeData } from "../contract/scrape-data.ts";
import type { Log } from "../kit/log.ts";

/** The opened service. */
export interface Service {
  /** Starts to listen. @returns the base URL. */
  listen(): Promise<string>;
  /** Finishes what is under way, then closes everything. */
  close(): Promise<void>;
  readonly log: Log;
}

/** What commands can do. Composed above; commands know only this. */
export interface Program {
  readonly config: Config;
  open(): Promise<Service>;
  /** Scrapes in this process. The body is that of `POST /v2/scrape`. */
  scrape(body: Readonly<Record<string, unknown>>): Promise<ScrapeData>;
  migrate(): Promise<void>;
  readonly keys: {
    create(name: string): Promise<{ readonly keyId: string; readonly apiKey: string }>;
    list(): Promise<readonly KeyEntry[]>;
    /** @returns false when there is no such key, or it was revoked before. */
    revoke(keyId: string): Promise<boolean>;
  };
}
