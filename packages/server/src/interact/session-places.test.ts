import { expect, test } from "vitest";

import { SessionPlaces } from "./session-places.ts";

const MINUTE_MS = 60_000;

/** How many of so many sessions the team gets. */
function opened(places: SessionPlaces, teamId: string, wanted: number): number {
  let count = 0;
  for (let time = 0; time < wanted; time += 1) {
    try {
      places.take(teamId);
      count += 1;
    } catch {
      // Other tests cover refusals.
    }
  }
  return count;
}

test("a team that is alone leaves one place, and others find it", () => {
  const places = new SessionPlaces({ most: 10, isShared: true });
  expect(opened(places, "first", 20)).toBe(9);
  expect(opened(places, "second", 20)).toBe(1);
});

test("while another is there, or has asked lately, a team gets half", () => {
  let nowMs = 0;
  const places = new SessionPlaces({ most: 10, isShared: true, clock: () => nowMs });
  const end = places.take("first");
  expect(opened(places, "second", 20)).toBe(5);
  end();
  end();
  expect(opened(places, "second", 20)).toBe(0);
  nowMs = 11 * MINUTE_MS;
  expect(opened(places, "second", 20)).toBe(4);
});

test("a team is told of its share, and everybody else of a service that is full", () => {
  const places = new SessionPlaces({ most: 2, isShared: true });
  places.take("first");
  places.take("second");
  expect(() => places.take("first")).toThrow("maximum number of concurrent jobs (1)");
  expect(() => places.take("third")).toThrow(/^All 2 browser sessions of this service are in use/);
});

test("the only team that there can be gets all", () => {
  const places = new SessionPlaces({ most: 3, isShared: false });
  expect(opened(places, "only", 3)).toBe(3);
  expect(() => places.take("only")).toThrow(/^All 3 browser sessions/);
});
