import { z } from "zod";

import { list, urlOf } from "./kinds.ts";
import { definePart } from "./part.ts";

/** `Name <address>`, or an address. */
const From = z.string().regex(/^(?:[^<>\r\n]{1,200} <[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/, {
  error: "must be an address, or `Name <address>`",
});

/** A domain, or all. */
const RecipientDomain = z
  .string()
  .regex(/^(?:\*|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)$/i, {
    error: "must be domains such as example.com, or *",
  })
  .transform((domain) => domain.toLowerCase());

/** Who is written to when watched pages change. */
export const mail = definePart({
  title: "Mail",
  settings: z
    .object({
      SMTP_URL: urlOf("smtp", "smtps").optional().meta({
        description:
          "mail server for the messages of monitors: `smtp://USER:PASSWORD@host:587`, or `smtps://` for TLS from the start",
        unset: "no mail is sent",
      }),
      MAIL_RECIPIENT_DOMAINS: list(RecipientDomain)
        .default([])
        .describe(
          "domains whose addresses get messages of monitors at once, comma-separated; `*` for all. Recipients of others confirm once, by a link in a first message",
        ),
      MAIL_FROM: From.optional().describe("sender of messages: an address, or `Name <address>`"),
    })
    .superRefine(({ SMTP_URL: url, MAIL_FROM: from }, context) => {
      if (url !== undefined && from === undefined)
        context.addIssue({
          code: "custom",
          path: ["MAIL_FROM"],
          message: "must be set when SMTP_URL is set",
        });
    }),
  derive: ({ SMTP_URL: url, MAIL_FROM: from, MAIL_RECIPIENT_DOMAINS: recipientDomains }) => ({
    recipientDomains,
    /** Undefined when no mail is sent. */
    server: url === undefined || from === undefined ? undefined : { url, from },
  }),
});
