import { describe, expect, test } from "vitest";

import { simulateMonitors } from "../../../../test/simulated-monitors.ts";

describe("every check exactly once, in two processes of which one dies again and again", () => {
  test.each([
    ["in spring", Date.UTC(2026, 2, 6), Date.UTC(2026, 3, 8)],
    ["in autumn", Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 4)],
  ])(
    "while clocks are changed %s",
    async (_name, fromMs, toMs) => {
      const monitors = { daily: 28, weekly: 7, hourly: 1 };
      const { checks, killed, problems } = await simulateMonitors({
        fromMs,
        toMs,
        ...monitors,
        kills: 20,
        seed: 7,
      });
      expect(problems).toEqual([]);
      expect(killed).toBeGreaterThan(10);
      expect(checks).toBeGreaterThan(1500);
    },
    120_000,
  );
});
