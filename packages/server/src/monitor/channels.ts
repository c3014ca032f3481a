import { z } from "zod";

import { limits } from "../api/limits.ts";

/** Where messages about checks go, besides mail. */
export const Channel = z.strictObject({
  type: z.enum(["slack", "discord", "teams", "mattermost", "ntfy", "telegram", "gotify", "generic"]),
  url: z
    .url({ protocol: /^https?$/, error: "A channel needs a URL that begins with http:// or https://" })
    .max(limits.urlLength)
    .describe(
      "Of an incoming webhook; of ntfy the topic, of Telegram `…/bot<token>/sendMessage`, of Gotify `…/message?token=…`.",
    ),
  chatId: z.string().min(1).max(256).optional().describe("Of Telegram alone."),
});
export type Channel = z.output<typeof Channel>;

interface Message {
  readonly title: string;
  readonly text: string;
}

interface Letter {
  readonly url: URL;
  readonly body: string;
}

type Template = (message: Message, channel: Channel) => object;

/**
 * Names and pages are text of other people: what can show plain text is sent that, and elsewhere marks have no effect. Lengths are
 * those that the receivers take.
 */
const TEMPLATES: ReadonlyMap<Channel["type"], Template> = new Map<Channel["type"], Template>([
  [
    "slack",
    (message) => ({
      text: message.title.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`),
      blocks: [{ type: "section", text: { type: "plain_text", text: whole(message, 3000), emoji: false } }],
    }),
  ],
  ["discord", (message) => ({ content: unmarked(message, 2000), allowed_mentions: { parse: [] } })],
  ["mattermost", (message) => ({ text: unmarked(message, 16_000) })],
  ["teams", (message) => ({ type: "message", attachments: [cardOf(whole(message, 20_000))] })],
  ["telegram", (message, { chatId }) => ({ chat_id: chatId ?? "", text: whole(message, 4096) })],
  ["ntfy", ({ title, text }, { url }) => ({ topic: topicOf(url), title, message: text.slice(0, 4000) })],
  ["gotify", ({ title, text }) => ({ title, message: text })],
  ["generic", ({ title, text }) => ({ title, text })],
]);

/** The message as the receiver of the channel reads it. */
export function letterTo(channel: Channel, message: Message): Letter {
  const template = TEMPLATES.get(channel.type);
  if (!template) throw new Error(`There is no template for ${channel.type}.`);
  const url = new URL(channel.url);
  // JSON goes to the server of a topic.
  if (channel.type === "ntfy") url.pathname = url.pathname.replace(/[^/]*\/?$/, "");
  return { url, body: JSON.stringify(template(message, channel)) };
}

function whole({ title, text }: Message, length: number): string {
  return `${title}\n\n${text}`.slice(0, length);
}

/** Markdown without effect, and without mentions of people or groups. */
function unmarked(message: Message, length: number): string {
  const text = whole(message, length / 2).replace(/[\\`*_{}[\]()<>#+\-.!|~>:]/g, "\\$&");
  return text.replaceAll("@", "@\u{200B}").slice(0, length);
}

function cardOf(text: string): object {
  const body = [{ type: "RichTextBlock", inlines: [{ type: "TextRun", text }] }];
  const content = { type: "AdaptiveCard", version: "1.4", body };
  return { contentType: "application/vnd.microsoft.card.adaptive", content };
}

function topicOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.split("/").findLast(Boolean) ?? "");
}
