import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openDatabase } from "./drivers.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres-server.suite.ts";

const programs = findPostgres();

describe.runIf(programs)("a server that is gone without a word", () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
  });
  afterAll(() => server.stop());

  test("is given up after ten seconds by who hears of others: it hears them again over another connection", async () => {
    const url = await server.migrated("silent");
    const [one, other] = [await openDatabase(url), await openDatabase(url)];
    let heard = 0;
    one.hear?.("topic", () => {
      heard += 1;
    });
    const tell = () => other.transaction(async (tx) => tx.notify?.("topic"));
    await expect.poll(async () => tell().then(() => heard)).toBeGreaterThan(0);

    const listening =
      "SELECT pid FROM pg_stat_activity WHERE query ~ 'clock_timestamp|LISTEN|pg_notify' AND pid <> pg_backend_pid()";
    const backends = (await other.prepared<{ pid: number }>(listening).all()).map(({ pid }) => pid);
    expect(backends).not.toEqual([]);
    for (const pid of backends) process.kill(pid, "SIGSTOP");
    try {
      heard = 0;
      await expect
        .poll(async () => tell().then(() => heard), { timeout: 30_000, interval: 200 })
        .toBeGreaterThan(0);
    } finally {
      for (const pid of backends) process.kill(pid, "SIGCONT");
    }
    await Promise.all([one.close(), other.close()]);
  });
});
