import { z } from "zod";

import type { Administration } from "../accounts/administration.ts";
import { type KeyEntry, keyVersion } from "../accounts/keys.ts";
import { KeyRotation, ListQuery, newKeyFor } from "../accounts/operator-requests.ts";
import { type Endpoints, keyRestrictionsFor } from "../accounts/restrictions.ts";
import { done } from "../contract/common-shapes.ts";
import { NotFoundError } from "../contract/errors.ts";
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
} from "../contract/example-values.ts";
import { defineShape } from "../contract/operation.ts";
import { Count, Id, pageOf, Success, Time, Version } from "../contract/operator/fields.ts";
import { operatorOperation } from "../contract/operator/operator-operation.ts";
import { defineOperation } from "../operations/operation.ts";
import { pageFrom } from "./page-from.ts";
import { versionIn } from "./version.ts";

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

/**
 * Keys of teams, as the command line has them, too.
 * @param endpoints what a key can be restricted to
 */
export function keyOperations(endpoints: Endpoints) {
  return [create(endpoints), list(endpoints), listAll(endpoints), change(endpoints), rotate, revoke];
}

const create = (endpoints: Endpoints) =>
  defineOperation({
    ...operatorOperation({
      line: "POST /admin/api/teams/{id}/keys",
      summary: "Create a key. It is shown only once",
      params: { id: teamIdPart },
      body: defineShape("NewKey", newKeyFor(endpoints), key),
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
    async handle({ params, body }, administration: Administration) {
      return { success: true, ...(await administration.createKey({ teamId: params.id, ...body })) };
    },
  });

const list = (endpoints: Endpoints) =>
  defineOperation({
    ...operatorOperation({
      line: "GET /admin/api/teams/{id}/keys",
      summary: "List the keys of a team, including revoked ones, oldest first",
      params: { id: teamIdPart },
      query: ListQuery,
      answer: defineShape("Keys", pageOf(keyEntryFor(endpoints)), {
        ...lastPage,
        data: [shownKey],
      }),
      errors: [400],
    }),
    async handle({ params, query: { limit, cursor } }, administration: Administration) {
      const found = await administration.listKeys({ teamId: params.id, afterId: cursor, count: limit + 1 });
      return pageFrom(found, { limit, idOf: ({ keyId }) => keyId, show: showKey });
    },
  });

const listAll = (endpoints: Endpoints) =>
  defineOperation({
    ...operatorOperation({
      line: "GET /admin/api/keys",
      summary: "List the keys of all teams, including revoked ones, oldest first",
      query: ListQuery,
      answer: defineShape("AllKeys", pageOf(keyEntryFor(endpoints)), { ...lastPage, data: [shownKey] }),
      errors: [400],
    }),
    async handle({ query: { limit, cursor } }, administration: Administration) {
      const found = await administration.listKeys({ afterId: cursor, count: limit + 1 });
      return pageFrom(found, { limit, idOf: ({ keyId }) => keyId, show: showKey });
    },
  });

const rotate = defineOperation({
  ...operatorOperation({
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
  }),
  async handle({ params, body: { graceHours } }, administration: Administration) {
    const graceMs = graceHours * HOUR_MS;
    const apiKey = await administration.rotateKey(params.id, graceMs);
    if (apiKey === undefined) throw new NotFoundError("Key not found.");
    return { success: true, keyId: params.id, apiKey, oldTextUntil: iso(Date.now() + graceMs) };
  },
});

const HOUR_MS = 60 * 60 * 1000;

const change = (endpoints: Endpoints) =>
  defineOperation({
    ...operatorOperation({
      line: "PATCH /admin/api/keys/{id}",
      summary: "Change the name or the restrictions of a key",
      params: { id: keyIdPart },
      // Restrictions replace all that the key had.
      body: defineShape("KeyPatch", newKeyFor(endpoints), { name: "ci, second" }),
      answer: done,
      errors: [404, 412],
    }),
    async handle({ params, body, headers }, administration: Administration) {
      const isChanged = await administration.changeKey(params.id, body, versionIn(headers["if-match"]));
      if (!isChanged) throw new NotFoundError("Key not found.");
      return { success: true };
    },
  });

const revoke = defineOperation({
  ...operatorOperation({
    line: "DELETE /admin/api/keys/{id}",
    summary: "Revoke a key immediately",
    params: { id: keyIdPart },
    answer: done,
    errors: [404],
  }),
  async handle({ params }, administration: Administration) {
    if (!(await administration.revokeKey(params.id))) throw new NotFoundError("Key not found.");
    return { success: true };
  },
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

function showKey({
  createdAtMs,
  lastUsedAtMs,
  revokedAtMs,
  expiresAtMs,
  oldTextUntilMs,
  ...entry
}: KeyEntry) {
  return {
    ...entry,
    version: keyVersion(entry),
    createdAt: iso(createdAtMs),
    lastUsedAt: lastUsedAtMs === null ? null : iso(lastUsedAtMs),
    revokedAt: revokedAtMs === null ? null : iso(revokedAtMs),
    expiresAt: expiresAtMs === null ? null : iso(expiresAtMs),
    oldTextUntil: oldTextUntilMs === null ? null : iso(oldTextUntilMs),
  };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
