import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { openDatabaseCoordinator } from "../storage/coordination/database.ts";
import { Leader } from "../storage/coordination/leader.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { nextOfSequence } from "../storage/database/sequences.ts";
import { deliverAudit } from "./audit-delivery.ts";
import { actingAs, presentActor } from "./audit-actor.ts";
import { type AuditEvent, type AuditLog, openAuditLog } from "./audit.ts";

const COLLECTOR = "https://collector.test/events";
const never = new AbortController().signal;
const fail = (failure: unknown): void => {
  throw failure;
};

let folder: string;
let databases: Database[];
let database: Database;
let audit: AuditLog;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "audit-"));
  databases = [];
  database = await openFile();
  audit = openAuditLog(database, fail);
});

afterEach(async () => {
  for (const opened of databases) await opened.close();
  await rm(folder, { recursive: true, force: true });
});

async function openFile(): Promise<Database> {
  const opened = await openDatabase(`sqlite:${folder}/test.db`);
  await opened.migrate();
  databases.push(opened);
  return opened;
}

function event(name: string, teamId = "team"): AuditEvent {
  return { kind: "scrape", teamId, details: { name } };
}

/** A collector that takes lines, or not. */
function openCollector() {
  const names: string[] = [];
  let answers = true;
  return {
    names,
    refuse: () => {
      answers = false;
    },
    accept: () => {
      answers = true;
    },
    send: async (lines: string): Promise<void> => {
      if (!answers) throw new Error("The collector answered 500.");
      for (const line of lines.trim().split("\n")) {
        names.push((JSON.parse(line) as { readonly name: string }).name);
      }
    },
  };
}

function deliver(send: (lines: string, signal: AbortSignal) => Promise<void>, log = audit, signal = never) {
  return deliverAudit({ database, audit: log, collector: COLLECTOR, send }, signal);
}

describe("the log", () => {
  test("keeps the order in which events were written, numbered without gaps", async () => {
    for (const name of ["a", "b"]) await audit.write(event(name));
    for (const name of ["c", "d", "e"]) audit.note(event(name));
    const lines = await audit.read({ count: 10 });
    expect(lines.map(({ text }) => (JSON.parse(text) as { name: string }).name)).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
    ]);
    expect(lines.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    expect(lines.map(({ id }) => id).toSorted()).toEqual(lines.map(({ id }) => id));
  });

  test("of two processes is one order, whose pages follow each other by the id of the last event", async () => {
    const other = openAuditLog(await openFile(), fail);
    for (let index = 0; index < 12; index += 1) {
      await (index % 3 === 0 ? other : audit).write(event(String(index)));
    }
    const names: string[] = [];
    let afterId: string | undefined;
    for (;;) {
      const page = await audit.read({ count: 5, afterId });
      if (page.length === 0) break;
      names.push(...page.map(({ text }) => (JSON.parse(text) as { name: string }).name));
      afterId = page.at(-1)?.id;
    }
    expect(names).toEqual(Array.from({ length: 12 }, (_event, index) => String(index)));
  });

  test("is read for one team, from any place on", async () => {
    for (const name of ["a", "b", "c"]) await audit.write(event(name, name === "b" ? "other" : "team"));
    const all = await audit.read({ teamId: "team", count: 10 });
    expect(all).toHaveLength(2);
    expect(await audit.read({ teamId: "team", count: 10, afterId: all[0]?.id })).toEqual([all[1]]);
    expect(await audit.read({ count: 10, afterId: all[1]?.id })).toEqual([]);
  });

  test("goes on after an id that is no event's at the next later one, and before all of them at the first", async () => {
    await audit.write(event("a"));
    const between = uuidV7(Date.now() + 60_000);
    expect(await audit.read({ count: 10, afterId: between })).toEqual([]);
    expect(await audit.read({ count: 10, afterId: "0" })).toHaveLength(1);
  });

  test("keeps what cannot be written until it can, without a gap in the numbers", async () => {
    await database.prepared("ALTER TABLE audit_events RENAME TO elsewhere").run();
    await expect(audit.write(event("a"))).rejects.toThrow("audit_events");
    await database.prepared("ALTER TABLE elsewhere RENAME TO audit_events").run();
    await audit.write(event("b"));
    const lines = await audit.read({ count: 10 });
    expect(lines.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });
});

describe("delivery", () => {
  test("sends each event once, in order, also in many rounds", async () => {
    const { names, send } = openCollector();
    for (let index = 0; index < 1203; index += 1) audit.note(event(String(index)));
    await deliver(send);
    await deliver(send);
    await audit.write(event("1203"));
    await deliver(send);
    expect(names).toEqual(Array.from({ length: 1204 }, (_event, index) => String(index)));
  });

  test("goes on where it ended after a failure", async () => {
    const collector = openCollector();
    await audit.write(event("a"));
    await deliver(collector.send);
    collector.refuse();
    await audit.write(event("b"));
    await expect(deliver(collector.send)).rejects.toThrow("answered 500");
    collector.accept();
    await audit.write(event("c"));
    await deliver(collector.send);
    expect(collector.names).toEqual(["a", "b", "c"]);
  });

  test("never skips an event that was made earlier and is written later", async () => {
    const { names, send } = openCollector();
    const earlier = uuidV7(Date.now() - 60_000);
    await audit.write(event("first"));
    await deliver(send);
    await database.transaction(async (tx) => {
      const sequence = await nextOfSequence(tx, "audit", 1);
      const text = JSON.stringify({ id: earlier, name: "late" });
      await tx
        .prepared("INSERT INTO audit_events (id, created_at, event, sequence) VALUES (?, ?, ?, ?)")
        .run(earlier, 1, text, sequence);
    });
    await deliver(send);
    expect(names).toEqual(["first", "late"]);
  });

  test("of a process that has lost the lead stops before the next lines", async () => {
    const lead = new AbortController();
    for (let index = 0; index < 600; index += 1) audit.note(event(String(index)));
    const { names, send } = openCollector();
    const sendOnce = async (lines: string) => {
      await send(lines);
      lead.abort(new Error("lost"));
    };
    await expect(deliver(sendOnce, audit, lead.signal)).rejects.toThrow("lost");
    expect(names).toHaveLength(500);
    await deliver(send);
    expect(new Set(names).size).toBe(600);
    expect(names).toHaveLength(600);
  });

  test("of several processes at once is one process's, and each event arrives once", async () => {
    const { names, send } = openCollector();
    const members = await Promise.all(
      [1, 2, 3].map(async () => {
        const opened = await openFile();
        const coordinator = openDatabaseCoordinator({ database: opened, onError: fail });
        const log = openAuditLog(opened, fail);
        const leader = new Leader({ coordinator, name: "audit", ttlMs: 5000 });
        return { opened, log, leader, coordinator };
      }),
    );
    const rounds = Array.from({ length: 15 }, async (_round, index) => {
      const { opened, log, leader } = members[index % 3] as (typeof members)[number];
      await log.write(event(String(index)));
      await leader.lead((signal) =>
        deliverAudit({ database: opened, audit: log, collector: COLLECTOR, send }, signal),
      );
    });
    await Promise.all(rounds);
    for (const { opened, log, leader } of members) {
      await leader.lead((signal) =>
        deliverAudit({ database: opened, audit: log, collector: COLLECTOR, send }, signal),
      );
    }
    expect(names.toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 15 }, (_event, index) => String(index)),
    );
    for (const { leader, coordinator } of members) {
      await leader.stop();
      await coordinator.close();
    }
  });

  test("what a late process notes does not send the others back", async () => {
    const { names, send } = openCollector();
    await audit.write(event("a"));
    let isLate = true;
    const late = async (lines: string) => {
      await send(lines);
      if (!isLate) return;
      isLate = false;
      await audit.write(event("b"));
      await deliver(send);
    };
    await deliver(late);
    await deliver(send);
    expect(names).toEqual(["a", "a", "b"]);
  });
});

test("work is an operator's while it is awaited, also beside that of another, and nobody's afterwards", async () => {
  const seen: (string | undefined)[] = [];
  const look = () => seen.push(presentActor());
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let leftRunning: Promise<unknown> = ended;
  const slow = actingAs({ by: "slow" }, () => ended.then(look));
  await actingAs({ by: "quick" }, () => {
    look();
    leftRunning = ended.then(look);
  });
  look();
  end();
  await Promise.all([slow, leftRunning]);
  await Promise.resolve().then(look);
  expect(seen).toEqual(["quick", undefined, "slow", undefined, undefined]);
});
