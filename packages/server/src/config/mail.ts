import { z } from "zod";

import { list, urlOf } from "./kinds.ts";
import { definePart } from "./part.ts";

/** `Name <address>`, or an address. */
const From = z.string().regex(/^(?:[^<>\r\n]{1,200} <[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, {
  error: "must be an address, or `Name <address>`",
});

/** A domain, or all domains. */
const RecipientDomain = z
  .string()
  .regex(/^(?:\*|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)$/i, {
    error: "must be domains such as example.com, or *",
  })
  .transform((domain) => domain.toLowerCase());

const Recipient = z.string().regex(/^[^<>\s@]{1,64}@[^<>\s@]{1,255}$/, { error: "must be a mail address" });
const MAX_RECIPIENTS = 20;

/** Mail and its recipients: messages about changed pages and failing parts of the service. */
export const mail = definePart({
  title: "Mail and alerts",
  settings: z
    .object({
      SMTP_URL: urlOf("smtp", "smtps").optional().meta({
        description:
          "mail server for the messages of monitors and for alerts: `smtp://USER:PASSWORD@host:587`, or `smtps://` for TLS from the start",
        unset: "no mail is sent",
      }),
      MAIL_RECIPIENT_DOMAINS: list(RecipientDomain)
        .default([])
        .describe(
          "domains whose addresses get messages of monitors at once, comma-separated; `*` for all. Recipients of others confirm once, by a link in a first message",
        ),
      MAIL_FROM: From.optional().describe("sender of messages: an address, or `Name <address>`"),
      ALERT_WEBHOOK_URL: urlOf("http", "https").optional().meta({
        description:
          "URL that is told, as JSON with `text` and `data`, when a part of the service fails or works again",
        unset: "nothing is told",
      }),
      ALERT_EMAIL: list(Recipient)
        .pipe(
          z.array(z.string()).max(MAX_RECIPIENTS, { error: `must be at most ${MAX_RECIPIENTS} addresses` }),
        )
        .optional()
        .meta({
          description: "mail addresses that are told the same, between commas; requires SMTP_URL",
          unset: "nothing is told",
        }),
    })
    .superRefine(({ SMTP_URL: url, MAIL_FROM: from, ALERT_EMAIL: recipients = [] }, context) => {
      if (url !== undefined && from === undefined)
        context.addIssue({
          code: "custom",
          path: ["MAIL_FROM"],
          message: "must be set when SMTP_URL is set",
        });
      if (recipients.length > 0 && url === undefined)
        context.addIssue({
          code: "custom",
          path: ["ALERT_EMAIL"],
          message: "requires a mail server: set SMTP_URL and MAIL_FROM",
        });
    }),
  derive: ({ ALERT_EMAIL: alertRecipients = [], ...given }) => ({
    recipientDomains: given.MAIL_RECIPIENT_DOMAINS,
    /** Undefined when no mail is sent. */
    server:
      given.SMTP_URL === undefined || given.MAIL_FROM === undefined
        ? undefined
        : { url: given.SMTP_URL, from: given.MAIL_FROM },
    /** Receiver of alerts about failing parts. */
    alertWebhook: given.ALERT_WEBHOOK_URL,
    alertRecipients,
  }),
});
