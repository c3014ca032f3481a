import { z } from "zod";

import { text } from "../../api/common-shapes.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { defineOperation } from "../../api/operation.ts";
import { Outgoing } from "../../api/outgoing.ts";

const endToEnd = defineOperation({
  line: "GET /e2e-test",
  access: "anyone",
  tag: "Service",
  summary: "OK",
  answer: text,
  handle: () => new Outgoing("OK", { type: "text/plain; charset=utf-8" }),
});

const production = defineOperation({
  line: "GET /is-production",
  access: "anyone",
  tag: "Service",
  summary: "Read whether API keys are required",
  answer: defineShape(
    "Production",
    () => z.strictObject({ isProduction: z.boolean().describe("True when API keys are required.") }),
    { isProduction: true },
  ),
  handle: (_call, { isProduction }: { readonly isProduction: boolean }) => ({ isProduction }),
});

/** Clients of the public service use these to identify the server (contract, section 6.1). */
export const probes = [endToEnd, production];
