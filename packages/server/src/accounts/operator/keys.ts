import { z } from "zod";

import type { Administration } from "../administration.ts";
import { type KeyEntry as StoredKey, keyVersion } from "../keys.ts";
import { done } from "../../api/common-shapes.ts";
import { NotFoundError } from "../../api/errors.ts";
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
import {
  Count,
  CursorQuery,
  Id,
  limitOf,
  pageOf,
  Success,
  Time,
  Version,
} from "../../api/operator-fields.ts";
import { forOperator } from "../../api/operator-operation.ts";
import { defineOperation } from "../../api/operation.ts";
import { pageFrom } from "../../api/page-from.ts";
import { versionIn } from "../../api/version-in.ts";

/** Used for lists of teams and of keys. */
export const ListQuery = z.object({
  limit: limitOf(1000, 1000),
  cursor: CursorQuery,
  search: z.string().max(200).optional().describe("Part of the name or of the id."),
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

/** A key, or changes to one. Restrictions replace all earlier ones. */
function keyChangesFor(endpoints: Endpoints) {
  return z.strictObject({
    name: z.string().min(1).max(200).optional(),
    restrictions: keyRestrictionsFor(endpoints).optional(),
  });
}

const KeyRotation = () =>
  z.strictObject({
    graceHours: z
      .int()
      .min(0)
      .max(168)
      .default(24)
      .describe("How long the old text of the key still works. 0 ends it at once."),
  });

/**
 * Operations on keys, which the command line has too.
 * @param endpoints that keys can be restricted to
 */
export function keyOperations(endpoints: Endpoints) {
  return [...keyChanges(endpoints), ...keyLists(endpoints), rotate, revoke];
}

function keyLists(endpoints: Endpoints) {
  const Entry = keyEntryFor(endpoints);
  const list = defineOperation({
    ...forOperator,
    line: "GET /admin/api/teams/{id}/keys",
    least: "team",
    summary: "List the keys of a team, including revoked ones, oldest first",
    params: { id: teamIdPart },
    query: ListQuery,
    answer: defineShape("Keys", () => pageOf(Entry), {
      ...lastPage,
      data: [shownKey],
    }),
    errors: [400],
    async handle({ params, query: { limit, cursor, search } }, administration: Administration) {
      const page = { teamId: params.id, afterId: cursor, search, count: limit + 1 };
      const found = await administration.listKeys(page);
      return pageFrom(found, { limit, idOf: ({ keyId }) => keyId, show: showKey });
    },
  });
  const listAll = defineOperation({
    ...forOperator,
    line: "GET /admin/api/keys",
    summary: "List the keys of all teams, including revoked ones, oldest first",
    query: ListQuery,
    answer: defineShape("AllKeys", () => pageOf(Entry), { ...lastPage, data: [shownKey] }),
    errors: [400],
    async handle({ query: { limit, cursor, search } }, administration: Administration) {
      const found = await administration.listKeys({ afterId: cursor, search, count: limit + 1 });
      return pageFrom(found, { limit, idOf: ({ keyId }) => keyId, show: showKey });
    },
  });
  return [list, listAll];
}

function keyChanges(endpoints: Endpoints) {
  const Changes = keyChangesFor(endpoints);
  const create = defineOperation({
    ...forOperator,
    line: "POST /admin/api/teams/{id}/keys",
    audit: "key.created",
    summary: "Create a key. It is shown only once",
    params: { id: teamIdPart },
    body: defineShape(
      "NewKey",
      () =>
        Changes.extend({
          expiresInDays: z.int().min(1).max(3650).optional().describe("Default: the key does not expire."),
        }),
      key,
    ),
    answer: defineShape(
      "MadeKey",
      () =>
        z.strictObject({
          success: Success,
          keyId: Id,
          apiKey: z.string().describe("The key. It is shown only once."),
        }),
      { success, keyId: KEY_ID, apiKey: API_KEY },
    ),
    errors: [404],
    async handle({ params, body: { expiresInDays, ...body } }, administration: Administration) {
      const expiresAtMs = expiresInDays === undefined ? undefined : Date.now() + expiresInDays * 24 * HOUR_MS;
      const made = await administration.createKey({ teamId: params.id, ...body, expiresAtMs });
      return { success: true, ...made };
    },
  });
  const change = defineOperation({
    ...forOperator,
    line: "PATCH /admin/api/keys/{id}",
    audit: "key.changed",
    tells: ["name", "restrictions"],
    summary: "Change the name or the restrictions of a key",
    params: { id: keyIdPart },
    // Restrictions replace all earlier ones of the key.
    body: defineShape("KeyPatch", Changes, { name: "ci, second" }),
    answer: done,
    errors: [404, 412],
    async handle({ params, body, headers }, administration: Administration) {
      const isChanged = await administration.changeKey(params.id, body, versionIn(headers["if-match"]));
      if (!isChanged) throw new NotFoundError("Key not found.");
      return { success: true };
    },
  });
  return [create, change];
}

const rotate = defineOperation({
  ...forOperator,
  line: "POST /admin/api/keys/{id}/rotate",
  audit: "key.rotated",
  tells: ["graceHours"],
  summary: "Give a key another text, which is shown only once. The old one works for some more hours",
  params: { id: keyIdPart },
  body: defineShape("KeyRotation", KeyRotation, { graceHours: 24 }),
  answer: defineShape(
    "RotatedKey",
    () =>
      z.strictObject({
        success: Success,
        keyId: Id,
        apiKey: z.string().describe("The new text of the key. It is shown only once."),
        oldTextUntil: Time.describe("When the old text stops working."),
      }),
    { success, keyId: KEY_ID, apiKey: API_KEY, oldTextUntil: DAY },
  ),
  errors: [404],
  async handle({ params, body: { graceHours } }, administration: Administration) {
    const graceMs = graceHours * HOUR_MS;
    const apiKey = await administration.rotateKey(params.id, graceMs);
    if (apiKey === undefined) throw new NotFoundError("Key not found.");
    return { success: true, keyId: params.id, apiKey, oldTextUntil: iso(Date.now() + graceMs) };
  },
});

const HOUR_MS = 60 * 60 * 1000;

const revoke = defineOperation({
  ...forOperator,
  line: "DELETE /admin/api/keys/{id}",
  audit: "key.revoked",
  summary: "Revoke a key immediately",
  params: { id: keyIdPart },
  answer: done,
  errors: [404],
  async handle({ params }, administration: Administration) {
    if (!(await administration.revokeKey(params.id))) throw new NotFoundError("Key not found.");
    return { success: true };
  },
});

function showKey({
  createdAtMs,
  lastUsedAtMs,
  revokedAtMs,
  expiresAtMs,
  oldTextUntilMs,
  ...entry
}: StoredKey) {
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
