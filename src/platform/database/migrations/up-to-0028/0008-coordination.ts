import type { Migration } from "../interface/migration.ts";

/** What processes over one database agree through: leases, limits, messages, and numbers in the order of commits. */
export const coordination: Migration = {
  version: 8,
  name: "coordination",
  statements: [
    "CREATE TABLE leases (name text PRIMARY KEY, holder text NOT NULL, held_until bigint NOT NULL)",
    "CREATE TABLE rate_windows (name text PRIMARY KEY, steps text NOT NULL, expires_at bigint NOT NULL)",
    `CREATE TABLE slot_seats (
      slot text NOT NULL,
      process text NOT NULL,
      seats bigint NOT NULL,
      waiting bigint NOT NULL,
      oldest_at bigint NOT NULL,
      PRIMARY KEY (slot, process)
    )`,
    "CREATE INDEX slot_seats_wanted ON slot_seats (slot) WHERE waiting > 0",
    "CREATE TABLE sequences (name text PRIMARY KEY, value bigint NOT NULL)",
    `CREATE TABLE messages (
      sequence bigint PRIMARY KEY,
      topic text NOT NULL,
      text text NOT NULL,
      sender text NOT NULL,
      told_at bigint NOT NULL
    )`,
  ],
};
