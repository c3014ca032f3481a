import { expect, test } from "vitest";

import { CdpConnection } from "./cdp-connection.ts";

const MAX_ID = 2 ** 31 - 1;

test("another program gets everything but answers to commands of ours, whose ids it does not use", async () => {
  const sent: string[] = [];
  const handedOn: string[] = [];
  const connection = new CdpConnection({ send: (text) => sent.push(text), close: () => undefined });
  const send = connection.bridge((text) => handedOn.push(text));
  send('{"id":1,"method":"Browser.getVersion"}');
  const asked = connection.browser.send("SystemInfo.getProcessInfo");
  const { id } = JSON.parse(sent[1] ?? "") as { readonly id: number };
  expect(id).toBeGreaterThan(1_000_000);
  // Chromium answers no command whose id has more bits.
  expect(id).toBeLessThan(MAX_ID);
  const others = [
    '{"id":1,"result":{}}',
    '{"method":"Target.targetCreated","params":{}}',
    '{"error":{"code":-32600,"message":"no id"}}',
  ];
  for (const text of others) connection.receive(text);
  connection.receive(`{"id":${id},"result":{"processInfo":[]}}`);
  expect(await asked).toEqual({ processInfo: [] });
  expect(handedOn).toEqual(others);
});
