import { z } from "zod";

import type { Credits } from "./credits.ts";
import { credits as prices } from "../api/credits.ts";
import { MONTH, NEXT_MONTH, success } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Count, Success, Time } from "../api/operator-fields.ts";
import { defineOperation } from "../api/operation.ts";
import { planOf } from "./usage-operations.ts";

const period = { billing_period_start: Time, billing_period_end: Time };
const examplePeriod = { billing_period_start: MONTH, billing_period_end: NEXT_MONTH };

interface PlanServices {
  readonly credits: Credits;
}

const creditUsage = defineOperation({
  line: "GET /v1/team/credit-usage",
  tag: "Version 1",
  summary: "Credits left this month",
  answer: defineShape(
    "CreditUsage1",
    () =>
      z.strictObject({
        success: Success,
        data: z.strictObject({ remaining_credits: Count, plan_credits: Count, ...period }),
      }),
    { success, data: { remaining_credits: 9_995, plan_credits: 10_000, ...examplePeriod } },
  ),
  async handle({ caller }, { credits }: PlanServices) {
    const { remaining, planned, period: paid } = await planOf(caller, credits);
    return {
      success: true,
      data: {
        remaining_credits: remaining,
        plan_credits: planned,
        billing_period_start: paid.billingPeriodStart,
        billing_period_end: paid.billingPeriodEnd,
      },
    };
  },
});

const tokenUsage = defineOperation({
  line: "GET /v1/team/token-usage",
  tag: "Version 1",
  summary: "The same in tokens",
  answer: defineShape(
    "TokenUsage1",
    () =>
      z.strictObject({
        success: Success,
        data: z.strictObject({ remaining_tokens: Count, plan_tokens: Count, ...period }),
      }),
    { success, data: { remaining_tokens: 149_925, plan_tokens: 150_000, ...examplePeriod } },
  ),
  async handle({ caller }, { credits }: PlanServices) {
    const { remaining, planned, period: paid } = await planOf(caller, credits);
    return {
      success: true,
      data: {
        remaining_tokens: remaining * prices.tokens,
        plan_tokens: planned * prices.tokens,
        billing_period_start: paid.billingPeriodStart,
        billing_period_end: paid.billingPeriodEnd,
      },
    };
  },
});

export const usage1 = [creditUsage, tokenUsage];
