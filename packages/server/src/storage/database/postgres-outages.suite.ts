import { expect, test } from "vitest";

import type { Database } from "./database.ts";
import { addTeam, countTeams, signpost } from "./database.suite.ts";
import { openDatabase } from "./drivers.ts";
import type { PostgresServer } from "./postgres-server.suite.ts";

interface OutageWorld {
  readonly server: PostgresServer;
  /** A database of its own on that server, which has been migrated. */
  open(): Promise<Database>;
}

/** What a service notices of a server or a connection that is lost: nothing. Call it inside a `describe`. */
export function describeOutages(world: () => OutageWorld): void {
  test("a connection that is cut in a transaction loses nothing: it is run again", async () => {
    const database = await world().open();
    let tries = 0;
    await database.transaction(async (tx) => {
      tries += 1;
      await tx.prepared(addTeam).run("a", "A", 1);
      const row = await tx.prepared<{ pid: number }>("SELECT pg_backend_pid() AS pid").get();
      if (tries === 1) await cut(row?.pid ?? 0);
      await tx.prepared(addTeam).run("b", "B", 1);
    });
    expect(tries).toBe(2);
    expect(await database.prepared(countTeams).get()).toMatchObject({ teams: 2 });
    await database.close();
  });

  /** As an operator or a firewall does. */
  async function cut(pid: number): Promise<void> {
    const operator = await openDatabase(world().server.url("public"));
    await operator.prepared("SELECT pg_terminate_backend(?::integer) AS done").get(pid);
    await operator.close();
  }

  test("a server that crashes and comes back is waited for, and nothing kept is lost", async () => {
    const database = await world().open();
    await database.prepared(addTeam).run("before", "", 1);
    await world().server.crash();
    const reading = database.prepared(countTeams).get();
    const writing = database.transaction((tx) => tx.prepared(addTeam).run("after", "", 1));
    await world().server.start();
    expect(await reading).toMatchObject({ teams: expect.any(Number) });
    await writing;
    expect(await database.prepared(countTeams).get()).toMatchObject({ teams: 2 });
    await database.close();
  });

  test("a transaction whose last word is lost is kept once, not twice", async () => {
    const database = await world().open();
    for (let round = 0; round < 10; round += 1) {
      const [isInside, enter] = signpost();
      let attempts = 0;
      const writing = database.transaction(async (tx) => {
        attempts += 1;
        await tx.prepared(addTeam).run(`round ${round}`, "", 1);
        const row = await tx.prepared<{ pid: number }>("SELECT pg_backend_pid() AS pid").get();
        // Once a round: with every attempt cut before its commit, none could succeed.
        if (attempts === 1) void cut(row?.pid ?? 0);
        // The end comes before, at and after the commit.
        await new Promise((resolve) => setTimeout(resolve, round * 2));
        enter();
      });
      await isInside;
      await writing;
    }
    expect(await database.prepared(countTeams).get()).toMatchObject({ teams: 10 });
    await database.close();
  });
}
