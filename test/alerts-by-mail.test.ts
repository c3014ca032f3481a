import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { type MailDouble, openMailDouble } from "./mail-double.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { openWorld, type World } from "./world.ts";

const LOOK_INTERVAL_MS = 30_000;

let engine: Server;
let mail: MailDouble;
let receiver: Receiver;
let world: World;

beforeAll(async () => {
  engine = createServer((_request, response) => response.writeHead(500).end());
  await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
  [mail, receiver] = [await openMailDouble(), await openReceiver()];
  // The service looks when this test lets half a minute pass.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  world = await openWorld({
    SEARCH_URL: `searxng+http://127.0.0.1:${(engine.address() as AddressInfo).port}`,
    SMTP_URL: mail.url,
    MAIL_FROM: "Pergamon <alerts@pergamon.test>",
    ALERT_EMAIL: "first@operators.test, second@operators.test",
    ALERT_WEBHOOK_URL: receiver.url,
  });
});

afterAll(async () => {
  await world.close();
  vi.useRealTimers();
  await mail.close();
  await receiver.close();
  engine.close();
});

test("a part that fails in use is told, by webhook and by mail to every recipient", async () => {
  for (let time = 0; time < 3; time += 1) {
    const body = JSON.stringify({ query: "lichens" });
    const headers = { "content-type": "application/json" };
    await fetch(`${world.baseUrl}/v2/search`, { method: "POST", headers, body });
  }
  await vi.advanceTimersByTimeAsync(LOOK_INTERVAL_MS);
  await expect.poll(() => [mail.taken.length, receiver.delivered.length]).toEqual([1, 1]);
  const [told] = mail.taken;
  expect(told?.recipients.toSorted()).toEqual(["first@operators.test", "second@operators.test"]);
  expect(told?.text).toMatch(/^From: Pergamon <alerts@pergamon\.test>$/m);
  expect(told?.text).toMatch(/^Subject: Pergamon: Search engine/m);
  expect(told?.text).toContain("It failed 3 times in a row");
  expect(receiver.delivered[0]).toMatchObject({
    text: expect.stringMatching(/^Search engine .*does not work\./),
    data: [{ state: "failing" }],
  });
});
