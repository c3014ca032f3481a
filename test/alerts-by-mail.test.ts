import { afterAll, beforeAll, expect, test } from "vitest";

import type { AlertsAnswer } from "../src/contract/operator/alerts.ts";
import { type MailDouble, openMailDouble } from "./mail-double.ts";
import { KEYED, makeTeam, operate } from "./operator.ts";
import { openWorld, type World } from "./world.ts";

/** Looked for each half a minute. */
const FOUND_MS = 90_000;

let mail: MailDouble;
let world: World;

beforeAll(async () => {
  mail = await openMailDouble();
  const sender = { SMTP_URL: mail.url, MAIL_FROM: "Pergamon <alerts@pergamon.test>" };
  world = await openWorld({ ...KEYED, ...sender });
});

afterAll(async () => {
  await world.close();
  await mail.close();
});

async function messages(): Promise<AlertsAnswer["data"]["messages"]> {
  return ((await operate(world, "GET alerts")).body.data as unknown as AlertsAnswer["data"]).messages;
}

test(
  "a server of mail gets the trial and the alert for every recipient, whatever the team is called",
  async () => {
    const recipients = ["first@operators.test", "second@operators.test"];
    const rules = { parts: false, errorRate: null, credits: { below: 100 } };
    const set = await operate(world, "PUT alerts", { rules, mail: recipients });
    expect(set.status).toBe(200);
    const tried = await operate(world, "POST alerts/test", {});
    expect(tried.body.data).toMatchObject({ results: [{ channel: "mail", ok: true }] });
    expect(mail.taken).toHaveLength(1);
    expect(mail.taken[0]?.recipients.toSorted()).toEqual(recipients);

    await makeTeam(world, { name: "<b>Short</b>\u202E.Bcc: x@evil.test", credits: 7 });
    await expect.poll(() => mail.taken.length, { timeout: FOUND_MS, interval: 500 }).toBe(2);
    const [, told] = mail.taken;
    expect(told?.recipients.toSorted()).toEqual(recipients);
    expect(told?.text).toMatch(/^From: Pergamon <alerts@pergamon\.test>$/m);
    expect(told?.text).not.toMatch(/^Bcc:/im);
    expect(told?.text).toContain("has 7 credits left");
    await expect.poll(messages).toMatchObject([{ channel: "mail", state: "sent", problem: null }]);
  },
  FOUND_MS + 30_000,
);
