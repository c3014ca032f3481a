import { z } from "zod";

import { DAY, lastPage, SCRAPE_ID, success, teamIdPart } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { answerOf, Count, CursorQuery, Id, limitOf, pageOf, Time } from "../../api/operator-fields.ts";
import { jobIdPart } from "./jobs-shapes.ts";
import { operatorOperation } from "../../api/operator-operation.ts";

/** `GET /admin/api/deliveries`, newest first. */
export const DeliveryQuery = z.object({
  job: z.string().max(100).describe("Id of the job."),
  state: z.enum(["waiting", "handed", "delivered", "dead"]).optional(),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

const Delivery = z.strictObject({
  id: Id.describe("`webhookId` of its body."),
  type: z.string().describe("Such as batch_scrape.page."),
  state: z
    .enum(["waiting", "handed", "delivered", "dead"])
    .describe("handed: tried just now, or again at nextAt. dead: not tried any more."),
  attempts: Count,
  createdAt: Time,
  nextAt: Time.nullable(),
  endedAt: Time.nullable(),
  lastStatus: z.int().nullable(),
  lastError: z.string().nullable(),
});

export const DeliveriesAnswer = pageOf(Delivery);
/** `POST /admin/api/deliveries/{id}/resend`, `POST /admin/api/jobs/{id}/resend`. */
export const ResentAnswer = answerOf(z.strictObject({ resent: Count.describe("Events.") }));
/** `GET` and `POST /admin/api/teams/{id}/webhook-secret`. */
export const WebhookSecretAnswer = answerOf(
  z.strictObject({ secret: z.string().describe("Key of the HMAC in the signature header.") }),
);

export type Delivery = z.output<typeof Delivery>;

export const listDeliveries = operatorOperation({
  line: "GET /admin/api/deliveries",
  summary: "List the webhook deliveries of a job, newest first",
  query: DeliveryQuery,
  answer: defineShape("Deliveries", DeliveriesAnswer, {
    ...lastPage,
    data: [
      {
        id: SCRAPE_ID,
        type: "batch_scrape.page",
        state: "delivered",
        attempts: 1,
        createdAt: DAY,
        nextAt: null,
        endedAt: DAY,
        lastStatus: 200,
        lastError: null,
      },
    ],
  }),
  errors: [400, 404],
});

const resent = defineShape("Resent", ResentAnswer, { success, data: { resent: 1 } });

export const resendDelivery = operatorOperation({
  line: "POST /admin/api/deliveries/{id}/resend",
  summary: "Resend a webhook that was delivered or given up",
  params: { id: jobIdPart },
  answer: resent,
  errors: [404],
});

export const resendDead = operatorOperation({
  line: "POST /admin/api/jobs/{id}/resend",
  summary: "Resend all webhooks of a job that were given up",
  params: { id: jobIdPart },
  answer: resent,
  errors: [404],
});

const secret = defineShape("WebhookSecret", WebhookSecretAnswer, {
  success,
  data: { secret: "whsec_q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k" },
});

export const readWebhookSecret = operatorOperation({
  line: "GET /admin/api/teams/{id}/webhook-secret",
  summary: "Read the secret that signs the webhooks of a team",
  params: { id: teamIdPart },
  answer: secret,
  errors: [404],
});

export const rotateWebhookSecret = operatorOperation({
  line: "POST /admin/api/teams/{id}/webhook-secret",
  summary: "Replace the secret that signs the webhooks of a team",
  params: { id: teamIdPart },
  answer: secret,
  errors: [404, 409],
});
