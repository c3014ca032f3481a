import { z } from "zod";

import { text } from "../../api/common-shapes.ts";
import { defineShape, type Line } from "../../api/operation-shape.ts";
import type { PartState } from "../../storage/part-health.ts";
import { type AskedPart, readinessOf } from "./readiness.ts";
import { defineOperation } from "../../api/operation.ts";
import { Outgoing } from "../../api/outgoing.ts";
import type { Metrics } from "./metrics.ts";

export interface HealthServices {
  readonly parts: readonly AskedPart[];
  /** Other parts, as this process has used them. */
  readonly uses?: () => readonly PartState[];
}

const health = defineShape("Health", () => z.strictObject({ status: z.literal("ok") }), { status: "ok" });
const readiness = defineShape(
  "Readiness",
  () =>
    z.strictObject({
      status: z.enum(["ready", "not ready"]),
      parts: z.array(
        z.strictObject({
          name: z.string(),
          ok: z.boolean(),
          required: z
            .literal(false)
            .exactOptional()
            .describe(
              "The status does not depend on it: the service is ready without it, only slower, or with less. Parts that are not probed report their last use.",
            ),
          code: z
            .string()
            .exactOptional()
            .describe(
              "Reason of the failure, such as `ENOSPC`; `LAST_USE_FAILED` where the part was not probed. The log and `pergamon doctor` have the details.",
            ),
        }),
      ),
    }),
  { status: "ready", parts: [{ name: "database", ok: true }] },
);

const liveness = (line: Line, summary: string) =>
  defineOperation({
    line,
    access: "anyone",
    tag: "Service",
    summary,
    answer: health,
    handle: () => ({ status: "ok" }),
  });

const ready = (line: Line, summary: string) =>
  defineOperation({
    line,
    access: "anyone",
    tag: "Service",
    summary,
    answer: readiness,
    errors: [503],
    failure: readiness,
    async handle({ log }, { parts, uses = () => [] }: HealthServices) {
      const results = await readinessOf(parts, uses(), log);
      const isReady = results.every(({ ok, required }) => ok || required === false);
      const body = { status: isReady ? "ready" : "not ready", parts: results };
      return new Outgoing(body, { status: isReady ? 200 : 503 });
    },
  });

/** The second name of each operation is that of the public service (contract, section 6.1). */
export const healthOperations = [
  liveness("GET /healthz", "Liveness: whether the process runs"),
  ready("GET /readyz", "Readiness: whether every component works"),
  liveness("GET /v0/health/liveness", "Older name of /healthz"),
  ready("GET /v0/health/readiness", "Older name of /readyz"),
];

export const readMetrics = defineOperation({
  line: "GET /metrics",
  access: "metrics",
  tag: "Service",
  summary: "Prometheus metrics. In keyed mode they require the operator's key or METRICS_KEY",
  answer: text,
  async handle(_call, metrics: Pick<Metrics, "text">) {
    const { body, contentType } = await metrics.text();
    return new Outgoing(body, { type: contentType });
  },
});
