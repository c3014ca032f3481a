import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ManualClock, othersHadTheirTurn } from "../storage/clock/manual-clock.suite.ts";
import { systemClock } from "../storage/clock/clock.ts";
import { openSharedSchema, type SharedSchema } from "../storage/coordination/coordination-rows.suite.ts";
import { openDatabaseCoordinator } from "../storage/coordination/database.ts";
import { openMemoryCoordinator } from "../storage/coordination/memory.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from "../storage/database/postgres-server.suite.ts";
import { HostPoliteness, type HostVisit, type VisitEnding } from "./host-politeness.ts";

const GOOD: VisitEnding = { kind: "good" };
const NEVER = new AbortController().signal;
const onError = (failure: unknown): void => {
  throw failure;
};
let database: Database;
let worlds = 0;

beforeAll(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
});
afterAll(() => database.close());

const TURNS = 4;

/** Visits to one host that wait, continue and end. */
class Visits {
  readonly clock = new ManualClock();
  readonly running: HostVisit[] = [];
  readonly refused: number[] = [];
  /** Teams of visits, in the order in which these began. */
  readonly teams: string[] = [];
  readonly #hosts: HostPoliteness;
  readonly #world = (worlds += 1);

  constructor(maxAtOnce: number) {
    const coordinator = openMemoryCoordinator(() => this.clock.now());
    this.#hosts = new HostPoliteness({ clock: this.clock, maxAtOnce, coordinator, database, onError });
  }

  async want(
    count: number,
    { host = "a.test", gapMs = 0, teamId = "team", until = NEVER } = {},
  ): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const entering = this.#hosts.enter(`${this.#world}.${host}`, { teamId, signal: until, gapMs });
      void entering.then(
        (visit) => (visit ? this.running.push(visit) && this.teams.push(teamId) : this.refused.push(index)),
        () => undefined,
      );
    }
    await othersHadTheirTurn(TURNS);
  }

  async end(count: number, ending: VisitEnding): Promise<void> {
    for (const visit of this.running.splice(0, count)) visit.end(ending);
    await othersHadTheirTurn(TURNS);
  }
}

describe("how many visits a host has at once", () => {
  test("two at first, one more per ten good answers, up to the most", async () => {
    const visits = new Visits(4);
    await visits.want(100);
    const seen: number[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      seen.push(visits.running.length);
      await visits.end(1, GOOD);
    }
    expect([seen[0], seen[10], seen[20], seen[30], seen[39]]).toEqual([2, 3, 4, 4, 4]);
  });

  test("half of them once it complains, at least one", async () => {
    const visits = new Visits(4);
    await visits.want(100);
    for (let turn = 0; turn < 20; turn += 1) await visits.end(1, GOOD);
    expect(visits.running).toHaveLength(4);
    await visits.end(1, { kind: "busy", pauseMs: 0 });
    await visits.end(2, GOOD);
    expect(visits.running).toHaveLength(2);
    await visits.end(2, { kind: "busy", pauseMs: 0 });
    expect(visits.running).toHaveLength(1);
  });

  test("in turns of the teams, whoever came first", async () => {
    const visits = new Visits(2);
    await visits.want(20, { teamId: "large" });
    await visits.want(2, { teamId: "small" });
    await visits.want(2, { teamId: "late" });
    for (let turn = 0; turn < 8; turn += 1) await visits.end(1, GOOD);
    expect(visits.teams.slice(0, 8).toSorted()).toEqual(
      ["large", "large", "large", "large", "late", "late", "small", "small"].toSorted(),
    );
  });

  test("ten thousand hosts at once, and none of them waits for another", async () => {
    const visits = new Visits(4);
    const hosts = Array.from({ length: 10_000 }, (_, index) => `${index}.test`);
    await Promise.all(hosts.map((host) => visits.want(1, { host })));
    await expect.poll(() => visits.running.length).toBe(10_000);
  });

  test("each host for itself", async () => {
    const visits = new Visits(4);
    await visits.want(5);
    await visits.want(5, { host: "b.test" });
    expect(visits.running).toHaveLength(4);
  });
});

describe("when visits begin", () => {
  test("none while the host asks to be left alone, for five minutes at most", async () => {
    const visits = new Visits(4);
    await visits.want(3);
    await visits.end(2, { kind: "busy", pauseMs: 3_600_000 });
    await visits.clock.advance(299_000);
    expect(visits.running).toHaveLength(0);
    await visits.clock.advance(1000);
    expect(visits.running).toHaveLength(1);
  });

  test("as far apart as is asked for", async () => {
    const visits = new Visits(4);
    await visits.want(2, { gapMs: 400 });
    expect(visits.running).toHaveLength(1);
    await visits.clock.advance(399);
    expect(visits.running).toHaveLength(1);
    await visits.clock.advance(1);
    expect(visits.running).toHaveLength(2);
  });

  test("those that are aborted make room for others", async () => {
    const visits = new Visits(1);
    const gone = new AbortController();
    await visits.want(1);
    await visits.want(3, { until: gone.signal });
    await visits.want(1);
    gone.abort(new Error("gone"));
    await visits.end(1, GOOD);
    expect(visits.running).toHaveLength(1);
  });
});

describe("a host that cannot be reached", () => {
  test("is not visited any more after twenty failures in a row, for five minutes", async () => {
    const visits = new Visits(4);
    await visits.want(30);
    for (let turn = 0; turn < 20; turn += 1) await visits.end(1, { kind: "unreachable" });
    expect(visits.refused).toHaveLength(9);
    await visits.want(5);
    expect(visits.refused).toHaveLength(14);
    await visits.end(1, { kind: "unreachable" });
    await visits.clock.advance(300_000);
    await visits.want(3);
    expect(visits.running).toHaveLength(2);
  });

  test("is not given up where one visit in between went well", async () => {
    const visits = new Visits(1);
    await visits.want(40);
    for (let turn = 0; turn < 38; turn += 1)
      await visits.end(1, turn === 19 ? GOOD : { kind: "unreachable" });
    expect([visits.refused, visits.running.length]).toEqual([[], 1]);
  });
});

const programs = findPostgres();

describe.runIf(programs)("two nodes over one Postgres", () => {
  let server: PostgresServer;
  let schema: SharedSchema;
  let nodes: readonly HostPoliteness[];
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    server = await startPostgres(programs ?? "");
    schema = await openSharedSchema(server.url("hosts"));
    nodes = schema.databases.map((own) => {
      const coordinator = openDatabaseCoordinator({ database: own, onError });
      closing.push(() => coordinator.close());
      const clock = { ...systemClock, now: own.nowMs ?? Date.now };
      return new HostPoliteness({ clock, maxAtOnce: 3, coordinator, database: own, onError });
    });
  });
  afterAll(async () => {
    for (const close of closing) await close();
    await schema.close();
    await server.stop();
  });

  /** Visits one host from both nodes. @returns the most visits at once, and from the first to the last beginning. */
  async function visitFromBoth(host: string, { count = 0, gapMs = 0, lastsMs = 20 }) {
    let atOnce = 0;
    let most = 0;
    const starts: number[] = [];
    const visit = async (node: HostPoliteness) => {
      const entered = await node.enter(host, { teamId: "team", signal: NEVER, gapMs });
      starts.push(performance.now());
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setTimeout(resolve, lastsMs));
      atOnce -= 1;
      entered?.end(GOOD);
    };
    await Promise.all(Array.from({ length: count }, (_, index) => visit(nodes[index % 2] as HostPoliteness)));
    return { most, count: starts.length, durationMs: (starts.at(-1) ?? 0) - (starts[0] ?? 0) };
  }

  test("have together no more visits at once than a host gets, and all come to their turn", async () => {
    const { most, count } = await visitFromBoth("many.test", { count: 60 });
    expect(most).toBeLessThanOrEqual(3);
    expect(count).toBe(60);
  });

  test("begin visits as far apart as the host asks", async () => {
    // Each for itself would need half as long.
    const { durationMs } = await visitFromBoth("slow.test", { count: 8, gapMs: 150 });
    expect(durationMs).toBeGreaterThan(6 * 150);
  });

  /** After ten visits, the node has learned that the host takes one more at once. */
  async function visitOften(node: HostPoliteness, host: string, times = 10) {
    for (let visit = 0; visit < times; visit += 1)
      (await node.enter(host, { teamId: "team", signal: NEVER }))?.end(GOOD);
  }

  test("know what one of them has learned of a host", async () => {
    const [one, other] = nodes as [HostPoliteness, HostPoliteness];
    const order = { teamId: "team", signal: NEVER };
    await visitOften(one, "good.test");
    const visits = [await one.enter("good.test", order), await one.enter("good.test", order)];
    visits.push(await other.enter("good.test", { ...order, signal: AbortSignal.timeout(5000) }));
    expect(visits).not.toContain(undefined);
    for (const visit of visits) visit?.end(GOOD);
  });

  test("visit a host less once it has complained to one of them", async () => {
    const [one, other] = nodes as [HostPoliteness, HostPoliteness];
    await visitOften(other, "sore.test");
    const first = await one.enter("sore.test", { teamId: "team", signal: NEVER });
    first?.end({ kind: "busy", pauseMs: 2000 });
    const pauses = schema.databases[0].prepared("SELECT host FROM host_pauses");
    await expect.poll(async () => (await pauses.all()).length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    for (const node of [other, one]) await visitOften(node, "sore.test", 1);
    expect((await visitFromBoth("sore.test", { count: 8 })).most).toBe(1);
  });

  test("leave a host alone that has asked one of them for a pause", async () => {
    const [one, other] = nodes as [HostPoliteness, HostPoliteness];
    const order = { teamId: "team", signal: NEVER };
    const first = await one.enter("busy.test", order);
    first?.end({ kind: "busy", pauseMs: 1000 });
    const askedMs = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 60));
    for (const node of [other, one]) (await node.enter("busy.test", order))?.end(GOOD);
    expect(performance.now() - askedMs).toBeGreaterThan(950);
  });
});
