import { expect, test } from "vitest";

import { SessionSteps } from "./session-steps.ts";

const step = { kind: "node", by: undefined, text: "await page.title()" } as const;
const none = () => undefined;

test("the latest steps are kept with what came of them, newest first, and no more than 50", async () => {
  const steps = new SessionSteps({ flags: {} });
  await steps.take(step, async () => 1, none);
  await steps.take(
    { ...step, by: "dashboard" },
    async () => 0,
    () => "exit code 1",
  );
  const thrown = steps.take(step, async () => Promise.reject(new Error("The session has ended.")), none);
  await expect(thrown).rejects.toThrow("ended");
  expect(steps.latest).toMatchObject([
    { number: 3, problem: "The session has ended." },
    { number: 2, by: "dashboard", problem: "exit code 1" },
    { number: 1, problem: undefined, text: step.text },
  ]);
  let finish: () => void = none;
  const slow = steps.take(step, () => new Promise<void>((resolve) => (finish = resolve)), none);
  expect(steps.latest[0]?.durationMs).toBeUndefined();
  finish();
  await slow;
  expect(steps.latest[0]?.durationMs).toBeGreaterThanOrEqual(0);
  for (let count = 0; count < 60; count += 1)
    await steps.take({ ...step, text: "x".repeat(100_000) }, async () => 1, none);
  expect([steps.latest.length, steps.latest[0]?.number, steps.latest[0]?.text.length]).toEqual([50, 64, 500]);
});

test("where nothing may be kept there is only that something was done", async () => {
  const steps = new SessionSteps({ flags: { zeroDataRetention: "forced" } });
  await steps.take(
    step,
    async () => 1,
    () => "ReferenceError: secret is not defined",
  );
  expect(steps.latest).toMatchObject([{ text: "", problem: "It failed." }]);
});
