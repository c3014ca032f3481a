import type { Migration } from "../interface/migration.ts";

/**
 * What crawls have yet to visit and what they know already. There may be millions of addresses, so rows carry a small
 * number for their crawl, and a short hash for the identity of the address.
 */
export const crawls: Migration = {
  version: 26,
  name: "crawls",
  statements: [
    `CREATE TABLE crawls (
      run_id text PRIMARY KEY,
      number bigint NOT NULL,
      team_id text NOT NULL,
      site_url text NOT NULL,
      stage text NOT NULL,
      page_limit bigint NOT NULL,
      delay_ms bigint NOT NULL,
      is_by_level integer NOT NULL,
      found bigint NOT NULL
    )`,
    "CREATE UNIQUE INDEX crawls_numbers ON crawls (number)",
    "CREATE INDEX crawls_of_teams ON crawls (team_id)",
    `CREATE TABLE crawl_urls (
      crawl bigint NOT NULL,
      sequence bigint NOT NULL,
      identity text NOT NULL,
      url text NOT NULL,
      depth integer NOT NULL,
      chain integer NOT NULL,
      state integer NOT NULL,
      PRIMARY KEY (crawl, sequence)
    )`,
    "CREATE UNIQUE INDEX crawl_urls_identities ON crawl_urls (crawl, identity)",
    "CREATE INDEX crawl_urls_open ON crawl_urls (crawl, state, depth, sequence) WHERE state < 2",
    `CREATE TABLE crawl_marks (
      crawl bigint NOT NULL,
      mark text NOT NULL,
      PRIMARY KEY (crawl, mark)
    )`,
  ],
};
