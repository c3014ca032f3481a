import { z } from "zod";

import { done } from "../../api/common-shapes.ts";
import {
  API_KEY,
  DAY,
  KEY_ID,
  keyIdPart,
  lastPage,
  MONTH,
  success,
  TEAM_ID,
  teamIdPart,
  VERSION,
} from "../../api/example-values.ts";
import { type Endpoints, keyRestrictionsFor } from "../../api/key-restrictions.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { KeyRotation, ListQuery, newKeyFor } from "../../history/operator/account-requests-shapes.ts";
import { Count, Id, pageOf, Success, Time, Version } from "../../api/operator-fields.ts";
import { operatorOperation } from "../../api/operator-operation.ts";

const key = { name: "ci", restrictions: { endpoints: ["scrape"], requestsPerMinute: 60 } };

const shownKey = {
  keyId: KEY_ID,
  version: VERSION,
  teamId: TEAM_ID,
  ...key,
  ending: "9a23",
  creditsUsedThisMonth: 5,
  createdAt: MONTH,
  lastUsedAt: DAY,
  revokedAt: null,
  expiresAt: null,
  oldTextUntil: null,
};

/** @param endpoints what a key can be restricted to */
export function keyDescriptions(endpoints: Endpoints) {
  const Entry = keyEntryFor(endpoints);
  const Changes = newKeyFor(endpoints);
  return {
    create: operatorOperation({
      line: "POST /admin/api/teams/{id}/keys",
      summary: "Create a key. It is shown only once",
      params: { id: teamIdPart },
      body: defineShape("NewKey", Changes, key),
      answer: defineShape(
        "MadeKey",
        z.strictObject({
          success: Success,
          keyId: Id,
          apiKey: z.string().describe("The key. It is shown only once."),
        }),
        { success, keyId: KEY_ID, apiKey: API_KEY },
      ),
      errors: [404],
    }),
    list: operatorOperation({
      line: "GET /admin/api/teams/{id}/keys",
      summary: "List the keys of a team, including revoked ones, oldest first",
      params: { id: teamIdPart },
      query: ListQuery,
      answer: defineShape("Keys", pageOf(Entry), {
        ...lastPage,
        data: [shownKey],
      }),
      errors: [400],
    }),
    listAll: operatorOperation({
      line: "GET /admin/api/keys",
      summary: "List the keys of all teams, including revoked ones, oldest first",
      query: ListQuery,
      answer: defineShape("AllKeys", pageOf(Entry), { ...lastPage, data: [shownKey] }),
      errors: [400],
    }),
    change: operatorOperation({
      line: "PATCH /admin/api/keys/{id}",
      summary: "Change the name or the restrictions of a key",
      params: { id: keyIdPart },
      // Restrictions replace all that the key had.
      body: defineShape("KeyPatch", Changes, { name: "ci, second" }),
      answer: done,
      errors: [404, 412],
    }),
  };
}

export const rotateKey = operatorOperation({
  line: "POST /admin/api/keys/{id}/rotate",
  summary: "Give a key another text, which is shown only once. The old one works for some more hours",
  params: { id: keyIdPart },
  body: defineShape("KeyRotation", KeyRotation, { graceHours: 24 }),
  answer: defineShape(
    "RotatedKey",
    z.strictObject({
      success: Success,
      keyId: Id,
      apiKey: z.string().describe("The new text of the key. It is shown only once."),
      oldTextUntil: Time.describe("When the old text stops working."),
    }),
    { success, keyId: KEY_ID, apiKey: API_KEY, oldTextUntil: DAY },
  ),
  errors: [404],
});

export const revokeKey = operatorOperation({
  line: "DELETE /admin/api/keys/{id}",
  summary: "Revoke a key immediately",
  params: { id: keyIdPart },
  answer: done,
  errors: [404],
});

function keyEntryFor(endpoints: Endpoints) {
  return z.strictObject({
    keyId: Id,
    version: Version,
    teamId: Id,
    name: z.string(),
    restrictions: keyRestrictionsFor(endpoints),
    ending: z
      .string()
      .nullable()
      .describe("Last characters of the key; null for keys made before they were noted."),
    creditsUsedThisMonth: Count,
    createdAt: Time,
    lastUsedAt: Time.nullable(),
    revokedAt: Time.nullable(),
    expiresAt: Time.nullable().describe("When the key expires; null when it does not expire."),
    oldTextUntil: Time.nullable().describe("Until when the text works that the key had before its rotation."),
  });
}

export type KeyEntry = z.output<ReturnType<typeof keyEntryFor>>;
