import { describe, expect, test } from "vitest";

import { ManualClock, othersHadTheirTurn } from "../storage/clock/manual-clock.suite.ts";
import { HostPoliteness, type HostVisit, type VisitEnding } from "./host-politeness.ts";

const GOOD: VisitEnding = { kind: "good" };

/** Visits to one host that wait, continue and end. */
class Visits {
  readonly clock = new ManualClock();
  readonly running: HostVisit[] = [];
  readonly refused: number[] = [];
  readonly #hosts: HostPoliteness;

  constructor(maxAtOnce: number) {
    this.#hosts = new HostPoliteness({ clock: this.clock, maxAtOnce });
  }

  async want(
    count: number,
    { host = "a.test", gapMs = 0, until = undefined as AbortSignal | undefined } = {},
  ): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const entering = this.#hosts.enter(host, until ?? new AbortController().signal, gapMs);
      void entering.then(
        (visit) => (visit ? this.running.push(visit) : this.refused.push(index)),
        () => undefined,
      );
    }
    await othersHadTheirTurn(2);
  }

  async end(count: number, ending: VisitEnding): Promise<void> {
    for (const visit of this.running.splice(0, count)) visit.end(ending);
    await othersHadTheirTurn(2);
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
