import { z } from "zod";

import { page } from "../api/common-shapes.ts";
import { NotFoundError } from "../api/errors.ts";
import { defineOperation, type Operation } from "../api/operation.ts";
import { Outgoing } from "../api/outgoing.ts";
import { MAIL_PATH, setStatusOfToken, statusOfToken, type SubscriptionStatus } from "./mail-subscriptions.ts";
import type { Monitors } from "./monitors.ts";

interface MailOperationServices {
  readonly monitors: Monitors;
}

const common = {
  access: "anyone",
  tag: "Monitors",
  params: { token: { type: "string", examples: ["3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAA"] } },
  answer: page,
  errors: [404],
} as const;

/** Changes nothing, because mail scanners open links before people do. */
const read = defineOperation({
  line: `GET ${MAIL_PATH}/{token}`,
  ...common,
  summary: "Where a recipient confirms or ends messages of monitors",
  async handle({ params: { token } }, { monitors }: MailOperationServices) {
    return pageOf(await statusOfToken(monitors.services.store.database, token));
  },
});

/**
 * Receives the form of the page, or the one-click unsubscribe of a mail program (RFC 8058), which has no
 * other fields.
 */
const change = defineOperation({
  line: `POST ${MAIL_PATH}/{token}`,
  ...common,
  summary: "Confirm or end messages of monitors, as their recipient",
  query: z.object({ confirm: z.literal("yes").optional().describe("Absent: no more messages.") }),
  streamed: {
    types: /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i,
    contentType: "application/x-www-form-urlencoded",
    schema: { type: "object" },
  },
  async handle({ params: { token }, query: { confirm } }, { monitors }: MailOperationServices) {
    const { database, clock } = monitors.services.store;
    const status = confirm ? "confirmed" : "unsubscribed";
    const isThere = await setStatusOfToken(database, token, { status, nowMs: clock.now() });
    return pageOf(isThere ? status : undefined);
  },
});

export const mailOperations: readonly Operation<MailOperationServices>[] = [read, change];

const SENTENCES: Readonly<Record<SubscriptionStatus, string>> = {
  pending:
    "Somebody wants messages about changes of watched web pages sent to you. None is sent unless you agree.",
  confirmed: "You receive messages about changes of watched web pages.",
  unsubscribed: "You receive no messages about watched web pages.",
};
const AGREE = `<form method="post" action="?confirm=yes"><button>Receive messages</button></form>`;
const END = `<form method="post" action="?"><button>No messages</button></form>`;

/** @throws NotFoundError without a status. */
function pageOf(status: SubscriptionStatus | undefined): Outgoing {
  if (!status) throw new NotFoundError("Not Found");
  const forms = [...(status === "confirmed" ? [] : [AGREE]), ...(status === "unsubscribed" ? [] : [END])];
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>Messages about watched pages</title>
<body><main><h1>Messages about watched pages</h1><p>${SENTENCES[status]}</p>${forms.join("")}</main></body>
</html>
`;
  return new Outgoing(html, { type: "text/html; charset=utf-8", headers: PAGE_HEADERS });
}

const PAGE_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};
