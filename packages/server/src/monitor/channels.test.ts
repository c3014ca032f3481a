import { expect, test } from "vitest";

import { type Channel, letterTo } from "./channels.ts";

const title = "*Anvils* <!channel> @all [x](https://evil.test): 1 page changed";
const message = { title, text: "changed: https://shop.test/_a_" };

test.each<[type: Channel["type"], url: string, sentTo: string, body: object]>([
  [
    "slack",
    "https://hooks.slack.test/services/x",
    "https://hooks.slack.test/services/x",
    {
      text: "*Anvils* &#60;!channel&#62; @all [x](https://evil.test): 1 page changed",
      blocks: [{ type: "section", text: { type: "plain_text", text: `${title}\n\n${message.text}` } }],
    },
  ],
  [
    "discord",
    "https://discord.test/api/webhooks/1/x",
    "https://discord.test/api/webhooks/1/x",
    {
      content: expect.stringMatching(/^\\\*Anvils\\\* \\<\\!channel\\> @\u{200B}all \\\[x\\\]/u),
      allowed_mentions: { parse: [] },
    },
  ],
  [
    "mattermost",
    "https://chat.test/hooks/x",
    "https://chat.test/hooks/x",
    { text: expect.stringContaining("@\u{200B}all") },
  ],
  [
    "teams",
    "https://teams.test/workflows/x",
    "https://teams.test/workflows/x",
    { attachments: [{ content: { body: [{ type: "RichTextBlock", inlines: [{ type: "TextRun" }] }] } }] },
  ],
  [
    "telegram",
    "https://api.telegram.test/bot1:x/sendMessage",
    "https://api.telegram.test/bot1:x/sendMessage",
    { chat_id: "-100", text: `${title}\n\n${message.text}` },
  ],
  [
    "ntfy",
    "https://ntfy.test/my-topic",
    "https://ntfy.test/",
    { topic: "my-topic", title, message: message.text },
  ],
  [
    "gotify",
    "https://gotify.test/message?token=x",
    "https://gotify.test/message?token=x",
    { title, message: message.text },
  ],
  ["generic", "https://own.test/hook", "https://own.test/hook", { title, text: message.text }],
])("a message to %s has no markup of other people", (type, url, sentTo, expected) => {
  const { url: to, body } = letterTo({ type, url, ...(type === "telegram" && { chatId: "-100" }) }, message);
  expect(to.href).toBe(sentTo);
  expect(JSON.parse(body)).toMatchObject(expected);
  const long = letterTo({ type, url }, { title, text: "*".repeat(50_000) });
  expect(long.body.length).toBeLessThan(51_000);
});
