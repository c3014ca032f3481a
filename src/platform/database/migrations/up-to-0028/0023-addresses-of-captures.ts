import type { Migration } from "../interface/migration.ts";

/** Maps list the stored pages of a site. */
export const addressesOfCaptures: Migration = {
  version: 23,
  name: "addresses-of-captures",
  statements: ["CREATE INDEX captures_by_url ON captures (url)"],
};
