import { z } from "zod";

import { done } from "../api/common-shapes.ts";
import { DAY, MONTH, success } from "../api/example-values.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Count, Success, Time } from "../api/operator-fields.ts";
import { defineOperation } from "../api/operation.ts";
import type { Profiles } from "./profiles.ts";

const list = defineOperation({
  line: "GET /v2/browser/profiles",
  tag: "Scraping",
  summary: "List the browser profiles of the team",
  answer: defineShape(
    "Profiles",
    () =>
      z.strictObject({
        success: Success,
        profiles: z.array(
          z.strictObject({
            name: z.string(),
            sizeBytes: Count,
            createdAt: Time,
            savedAt: Time.nullable(),
            isLocked: z.boolean().describe("True while a session may write to it."),
          }),
        ),
      }),
    {
      success,
      profiles: [{ name: "shop", sizeBytes: 2048, createdAt: MONTH, savedAt: DAY, isLocked: false }],
    },
  ),
  async handle({ caller }, profiles: Profiles) {
    const found = await profiles.list(caller.teamId);
    return {
      success: true,
      profiles: found.map(({ name, sizeBytes, createdAtMs, savedAtMs, isLocked }) => ({
        name,
        sizeBytes,
        createdAt: new Date(createdAtMs).toISOString(),
        savedAt: savedAtMs === undefined ? null : new Date(savedAtMs).toISOString(),
        isLocked,
      })),
    };
  },
});

const remove = defineOperation({
  line: "DELETE /v2/browser/profiles/{name}",
  tag: "Scraping",
  summary: "Delete a browser profile",
  params: { name: { type: "string", maxLength: limits.profileNameLength, examples: ["shop"] } },
  answer: done,
  errors: [404, 409],
  async handle({ params, caller }, profiles: Profiles) {
    await profiles.delete({ teamId: caller.teamId, name: params.name });
    return { success: true };
  },
});

/** Operations on the team's named browser profiles. */
export const profileOperations = [list, remove];
