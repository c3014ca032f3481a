import { afterEach, beforeEach, expect, test } from "vitest";

import type { Database } from "../storage/database/database.ts";
import { PartAway } from "@pergamon-dev/kit/process/own-failure";
import { openDatabase } from "../storage/database/drivers.ts";
import { openOperatorSessions, type OperatorSessions } from "./operator-sessions.ts";

const START_MS = 1_900_000_000_000;
const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const VISITOR = { address: "192.0.2.1", userAgent: "Browser/1" };

let database: Database;
let sessions: OperatorSessions;
let nowMs = START_MS;

beforeEach(async () => {
  nowMs = START_MS;
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  sessions = openOperatorSessions(database, () => nowMs);
});

afterEach(() => database.close());

test("a login link is good once, also for two who use it at the same time", async () => {
  const token = await sessions.makeLoginToken();
  const used = await Promise.all([sessions.useLoginToken(token), sessions.useLoginToken(token)]);
  expect(used.toSorted()).toEqual([false, true]);
  expect(await sessions.useLoginToken(token)).toBe(false);
});

test.each([
  ["a little earlier than ten minutes", 10 * MINUTE_MS - 1, true],
  ["after ten minutes", 10 * MINUTE_MS, false],
  ["after the clock was corrected by seconds", -5000, true],
  ["after the clock was set back by hours", -2 * HOUR_MS, false],
])("a login link %s", async (_when, laterMs, isGood) => {
  const token = await sessions.makeLoginToken();
  nowMs += laterMs;
  expect(await sessions.useLoginToken(token)).toBe(isGood);
});

test.each(["", "x", "'", "a".repeat(10_000), "\0"])("%j opens nothing", async (text) => {
  await sessions.makeLoginToken();
  await sessions.start(VISITOR);
  expect([await sessions.useLoginToken(text), await sessions.find(text)]).toEqual([false, undefined]);
});

test("a session is found by its secret alone, of which only the hash is kept", async () => {
  const { secret, session } = await sessions.start(VISITOR);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await sessions.find(secret)).toEqual(session);
  expect(await sessions.find(session.id)).toBeUndefined();
  const rows = await database.prepared("SELECT * FROM operator_sessions").all();
  expect(JSON.stringify(rows)).not.toContain(secret);
});

test("a session that is used every few hours lasts for seven days, and not longer", async () => {
  const { secret } = await sessions.start(VISITOR);
  for (; nowMs < START_MS + 7 * DAY_MS; nowMs += 11 * HOUR_MS) {
    expect(await sessions.find(secret)).toMatchObject(VISITOR);
  }
  expect(await sessions.find(secret)).toBeUndefined();
});

test("a session that nobody used for twelve hours is over", async () => {
  const { secret } = await sessions.start(VISITOR);
  nowMs += 12 * HOUR_MS - 1;
  expect(await sessions.find(secret)).toBeDefined();
  nowMs += 12 * HOUR_MS;
  expect(await sessions.find(secret)).toBeUndefined();
});

test("a clock that is set back ends sessions, which would live too long", async () => {
  const { secret } = await sessions.start(VISITOR);
  nowMs -= 3 * DAY_MS;
  expect([await sessions.find(secret), await sessions.list()]).toEqual([undefined, []]);
});

test("sessions are listed, newest first, and end one by one", async () => {
  const first = await sessions.start(VISITOR);
  nowMs += MINUTE_MS;
  const second = await sessions.start({ ...VISITOR, userAgent: "Browser/2" });
  expect((await sessions.list()).map(({ userAgent }) => userAgent)).toEqual(["Browser/2", "Browser/1"]);
  expect([await sessions.end(first.session.id), await sessions.end(first.session.id)]).toEqual([true, false]);
  expect(await sessions.find(first.secret)).toBeUndefined();
  expect(await sessions.find(second.secret)).toBeDefined();
});

test("what is over is deleted", async () => {
  await sessions.makeLoginToken();
  await sessions.start(VISITOR);
  nowMs += 8 * DAY_MS;
  await sessions.prune();
  for (const table of ["login_tokens", "operator_sessions"])
    expect(await database.prepared(`SELECT count(*) AS count FROM ${table}`).get()).toEqual({ count: 0 });
});

test("who is logged in stays so while the database is away, until the login ends", async () => {
  let isAway = false;
  const away = async () => {
    if (isAway) throw new PartAway("database", undefined);
  };
  const over: Database = {
    ...database,
    prepared: (sql) => {
      const statement = database.prepared<never>(sql);
      return {
        get: (...values) => away().then(() => statement.get(...values)),
        all: (...values) => away().then(() => statement.all(...values)),
        run: (...values) => away().then(() => statement.run(...values)),
      };
    },
  };
  const own = openOperatorSessions(over, () => nowMs);
  const { secret, session } = await own.start(VISITOR);
  isAway = true;
  nowMs += 2 * MINUTE_MS;
  expect(await own.find(secret)).toMatchObject({ id: session.id });
  await expect(own.find("other")).rejects.toThrow(PartAway);
  const inBetween = await own.start(VISITOR);
  expect(await own.find(inBetween.secret)).toMatchObject({ id: inBetween.session.id });
  nowMs += 13 * HOUR_MS;
  await expect(own.find(secret)).rejects.toThrow(PartAway);
  isAway = false;
  expect(await own.find(secret)).toBeUndefined();
});
