import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type MailDouble, openMailDouble } from "./mail-double.ts";
import { makeMailDue, MonitorClient } from "./monitors.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { RunClient } from "./runs.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

/** What receivers and mail servers do instead of their work. */
type Outage = "dead" | "hanging" | "talking nonsense" | "refusing";

let outage: Outage | undefined;
let world: World;
let mail: MailDouble;
let receiver: Receiver;
/** Connections that nobody answers. */
let hanging: (() => void)[] = [];

beforeAll(async () => {
  mail = await openMailDouble(() => (outage === "refusing" ? "451 Later" : "250 OK"), greet);
  receiver = await openReceiver(answer);
  world = await openWorld({
    SMTP_URL: mail.url,
    MAIL_RECIPIENT_DOMAINS: "*",
    MAIL_FROM: "pergamon@service.test",
    WEBHOOK_RETRY_SECONDS: "1,1,1,1,1,1,1,1,1,1",
  });
});

afterAll(async () => {
  endHanging();
  await world.close();
  await mail.close();
  await receiver.close();
});

/** @returns the greeting; undefined: none. */
function greet(socket: Socket): string | undefined {
  if (outage === "dead") return void socket.destroy();
  if (outage === "hanging") return void hanging.push(() => socket.destroy());
  return outage === "talking nonsense" ? "\u0000\u0007 HTTP/1.1 200 OK" : "220 double";
}

function answer(response: ServerResponse): void {
  const { socket } = response;
  if (outage === undefined) return void response.end();
  if (outage === "refusing") return void response.writeHead(503).end();
  if (outage === "hanging") return void hanging.push(() => socket?.destroy());
  if (outage === "talking nonsense") return void socket?.end("\u0000\u0007 220 SMTP\r\n\r\n");
  socket?.destroy();
}

function endHanging(): void {
  for (const end of hanging) end();
  hanging = [];
}

test.each<Outage>(["dead", "hanging", "talking nonsense", "refusing"])(
  "a check ends while its receiver and its mail server are %s, and both are told once later",
  async (kind) => {
    const monitors = new MonitorClient(new RunClient(world));
    const show = (text: string) =>
      world.site.page(`/${kind.replace(" ", "-")}`, htmlPage(`<main><p>${text}</p></main>`));
    const url = show("Anvils.");
    const id = await monitors.create({
      targets: [{ type: "scrape", url }],
      webhook: { url: receiver.url },
      notification: { email: { enabled: true, recipients: ["a@b.test"] } },
    });
    const { id: firstId } = await monitors.check(id);
    const ofFirst = () => receiver.delivered.filter((letter) => letter.id === firstId).length;
    await expect.poll(ofFirst, { timeout: 20_000 }).toBe(2);
    show("Hammers.");
    const [before, letters] = [mail.taken.length, receiver.delivered.length];
    const attempts = mail.attempts();
    outage = kind;
    const check = await monitors.check(id);
    expect(check).toMatchObject({ status: "completed", summary: { totalPages: 1, changed: 1 } });
    await expect.poll(() => mail.attempts(), { timeout: 20_000 }).toBeGreaterThan(attempts);
    await expect.poll(() => receiver.delivered.length, { timeout: 20_000 }).toBeGreaterThan(letters);
    const pending = await monitors.ended(id, check.id);
    expect(pending).toMatchObject({ status: "completed", notificationStatus: { email: "pending" } });
    expect(mail.taken).toHaveLength(before);

    outage = undefined;
    endHanging();
    const isTold = async () => {
      await makeMailDue(world);
      return (await monitors.ended(id, check.id)) as unknown;
    };
    await expect
      .poll(isTold, { timeout: 30_000, interval: 200 })
      .toMatchObject({ notificationStatus: { email: "sent" } });
    const told = () =>
      receiver.delivered.filter((letter) => letter.id === check.id).map(({ webhookId }) => webhookId);
    const states = async () =>
      (await world.app.families.runs.webhooks.events({ jobId: check.id, count: 10 })).map(
        ({ state }) => state,
      );
    await expect.poll(states, { timeout: 30_000 }).toEqual(["delivered", "delivered"]);
    expect(new Set(told()).size).toBe(2);
    expect(mail.taken.slice(before).map(({ recipients }) => recipients)).toEqual([["a@b.test"]]);
    expect(mail.taken.at(-1)?.text).toContain(`changed: ${url}`);
  },
  90_000,
);
