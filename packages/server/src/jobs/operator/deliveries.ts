import { NotFoundError } from "../../api/errors.ts";
import {
  type Delivery,
  listDeliveries,
  readWebhookSecret,
  resendDead,
  resendDelivery,
  rotateWebhookSecret,
} from "./deliveries-shapes.ts";
import type { EventRow } from "../webhooks/webhook-events.ts";
import { defineOperation } from "../../api/operation.ts";
import type { JobServices } from "./jobs.ts";
import { iso, openJobNamed } from "./show-job.ts";

const list = defineOperation({
  ...listDeliveries,
  async handle({ query: { job, state, limit, cursor } }, { places, webhooks }: JobServices) {
    const { run } = await openJobNamed(job, places);
    const before = cursor === undefined ? undefined : Number(cursor) || 0;
    const events = await webhooks.events({ runId: run.id, state, before, count: limit + 1 });
    const data = events.slice(0, limit);
    const next = events.length > limit ? String(data.at(-1)?.sequence) : null;
    return { success: true, data: data.map(showDelivery), cursor: next };
  },
});

const resend = defineOperation({
  ...resendDelivery,
  async handle({ params: { id } }, { webhooks }: JobServices) {
    if (!(await webhooks.resend(id))) throw new NotFoundError("No delivered or failed webhook has this id.");
    return { success: true, data: { resent: 1 } };
  },
});

const resendAll = defineOperation({
  ...resendDead,
  async handle({ params: { id } }, { places, webhooks }: JobServices) {
    const { run } = await openJobNamed(id, places);
    return { success: true, data: { resent: await webhooks.resendDead(run.id) } };
  },
});

const readSecret = defineOperation({
  ...readWebhookSecret,
  async handle({ params: { id } }, { webhooks }: JobServices) {
    return { success: true, data: { secret: await webhooks.secretOf(id) } };
  },
});

const rotateSecret = defineOperation({
  ...rotateWebhookSecret,
  async handle({ params: { id } }, { webhooks }: JobServices) {
    return { success: true, data: { secret: await webhooks.rotateSecret(id) } };
  },
});

/** What webhooks received, sent again where that is wanted, and what they are signed with. */
export const deliveryOperations = [list, resend, resendAll, readSecret, rotateSecret];

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
