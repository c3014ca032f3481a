import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";

import { NotFoundError } from "../../api/errors.ts";
import { DAY, lastPage, SCRAPE_ID, success, teamIdPart } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { answerOf, Count, CursorQuery, Id, limitOf, pageOf, Time } from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import type { EventRow } from "../webhooks/webhook-events.ts";
import { defineOperation } from "../../api/operation.ts";
import type { JobServices } from "./jobs.ts";
import { iso, jobIdPart, openJobNamed } from "./show-job.ts";

/** `GET /admin/api/deliveries`, newest first. */
const DeliveryQuery = z.object({
  job: z.string().max(100).describe("Id of the job."),
  state: z.enum(["waiting", "handed", "delivered", "dead"]).optional(),
  limit: limitOf(100, 1000),
  cursor: CursorQuery,
});

export const Delivery = lazy(() =>
  z.strictObject({
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
  }),
);

const DeliveriesAnswer = () => pageOf(Delivery());
const DeliveryBodyAnswer = () =>
  answerOf(
    z.strictObject({
      body: z.string().nullable().describe("null: its document is not kept any more."),
      answer: z.string().nullable().describe("Start of the last answer, up to 2 KB, where it was text."),
    }),
  );
/** `POST /admin/api/deliveries/{id}/resend`, `POST /admin/api/jobs/{id}/resend`. */
const ResentAnswer = () => answerOf(z.strictObject({ resent: Count.describe("Events.") }));
/** `GET` and `POST /admin/api/teams/{id}/webhook-secret`. */
const WebhookSecretAnswer = () =>
  answerOf(z.strictObject({ secret: z.string().describe("Key of the HMAC in the signature header.") }));

export type Delivery = z.output<ReturnType<typeof Delivery>>;

/** Longer bodies are cut: they hold whole documents. */
const MAX_SHOWN_CHARACTERS = 200_000;

const resent = defineShape("Resent", ResentAnswer, { success, data: { resent: 1 } });

const secret = defineShape("WebhookSecret", WebhookSecretAnswer, {
  success,
  data: { secret: "whsec_q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k" },
});

const list = defineOperation({
  ...forOperator,
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
  async handle({ query: { job: id, state, limit, cursor } }, { stores, webhooks }: JobServices) {
    const { job } = await openJobNamed(id, stores);
    const before = cursor === undefined ? undefined : Number(cursor) || 0;
    const events = await webhooks.events({ jobId: job.id, state, before, count: limit + 1 });
    const data = events.slice(0, limit);
    const next = events.length > limit ? String(data.at(-1)?.sequence) : null;
    return { success: true, data: data.map(showDelivery), cursor: next };
  },
});

const read = defineOperation({
  ...forOperator,
  line: "GET /admin/api/deliveries/{id}",
  summary: "Read the body of a webhook and what its receiver answered",
  params: { id: jobIdPart },
  answer: defineShape("DeliveryBody", DeliveryBodyAnswer, {
    success,
    data: { body: '{"success":true,"type":"batch_scrape.page"}', answer: "Unknown order" },
  }),
  errors: [404],
  async handle({ params: { id } }, { webhooks }: JobServices) {
    const found = await webhooks.exchangeOf(id);
    if (!found) throw new NotFoundError("No webhook has this id.");
    const body = found.body?.slice(0, MAX_SHOWN_CHARACTERS) ?? null;
    return { success: true, data: { ...found, body } };
  },
});

const resend = defineOperation({
  ...forOperator,
  line: "POST /admin/api/deliveries/{id}/resend",
  audit: "webhook.resent",
  summary: "Resend a webhook that was delivered or given up",
  params: { id: jobIdPart },
  answer: resent,
  errors: [404],
  async handle({ params: { id } }, { webhooks }: JobServices) {
    if (!(await webhooks.resend(id))) throw new NotFoundError("No delivered or failed webhook has this id.");
    return { success: true, data: { resent: 1 } };
  },
});

const resendAll = defineOperation({
  ...forOperator,
  line: "POST /admin/api/jobs/{id}/resend",
  audit: "webhook.resent",
  summary: "Resend all webhooks of a job that were given up",
  params: { id: jobIdPart },
  answer: resent,
  errors: [404],
  async handle({ params: { id } }, { stores, webhooks }: JobServices) {
    const { job } = await openJobNamed(id, stores);
    return { success: true, data: { resent: await webhooks.resendDead(job.id) } };
  },
});

const readSecret = defineOperation({
  ...forOperator,
  line: "GET /admin/api/teams/{id}/webhook-secret",
  audit: "webhookSecret.shown",
  summary: "Read the secret that signs the webhooks of a team",
  params: { id: teamIdPart },
  answer: secret,
  errors: [404],
  async handle({ params: { id } }, { webhooks }: JobServices) {
    return { success: true, data: { secret: await webhooks.secretOf(id) } };
  },
});

const rotateSecret = defineOperation({
  ...forOperator,
  line: "POST /admin/api/teams/{id}/webhook-secret",
  audit: "webhookSecret.rotated",
  summary: "Replace the secret that signs the webhooks of a team",
  params: { id: teamIdPart },
  answer: secret,
  errors: [404, 409],
  async handle({ params: { id } }, { webhooks }: JobServices) {
    return { success: true, data: { secret: await webhooks.rotateSecret(id) } };
  },
});

/** Operations to list deliveries, resend them, and manage their signing secret. */
export const deliveryOperations = [list, read, resend, resendAll, readSecret, rotateSecret];

function showDelivery({ id, type, state, attempts, createdAtMs, ...event }: EventRow): Delivery {
  const { nextAtMs, endedAtMs, lastStatus, lastError } = event;
  return {
    id,
    type,
    state,
    attempts,
    createdAt: iso(createdAtMs),
    nextAt: nextAtMs === null ? null : iso(nextAtMs),
    endedAt: endedAtMs === null ? null : iso(endedAtMs),
    lastStatus,
    lastError,
  };
}
