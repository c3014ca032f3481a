import type { Administration } from "../administration.ts";
import { type KeyEntry, keyVersion } from "../keys.ts";
import { NotFoundError } from "../../api/errors.ts";
import type { Endpoints } from "../../api/key-restrictions.ts";
import { keyDescriptions, revokeKey, rotateKey } from "./keys-shapes.ts";
import { defineOperation } from "../../api/operation.ts";
import { pageFrom } from "../../operator/page-from.ts";
import { versionIn } from "../../operator/version.ts";

/**
 * Keys of teams, as the command line has them, too.
 * @param endpoints what a key can be restricted to
 */
export function keyOperations(endpoints: Endpoints) {
  const described = keyDescriptions(endpoints);
  return [
    defineOperation({
      ...described.create,
      async handle({ params, body }, administration: Administration) {
        return { success: true, ...(await administration.createKey({ teamId: params.id, ...body })) };
      },
    }),
    defineOperation({
      ...described.list,
      async handle({ params, query: { limit, cursor } }, administration: Administration) {
        const found = await administration.listKeys({ teamId: params.id, afterId: cursor, count: limit + 1 });
        return pageFrom(found, { limit, idOf: ({ keyId }) => keyId, show: showKey });
      },
    }),
    defineOperation({
      ...described.listAll,
      async handle({ query: { limit, cursor } }, administration: Administration) {
        const found = await administration.listKeys({ afterId: cursor, count: limit + 1 });
        return pageFrom(found, { limit, idOf: ({ keyId }) => keyId, show: showKey });
      },
    }),
    defineOperation({
      ...described.change,
      async handle({ params, body, headers }, administration: Administration) {
        const isChanged = await administration.changeKey(params.id, body, versionIn(headers["if-match"]));
        if (!isChanged) throw new NotFoundError("Key not found.");
        return { success: true };
      },
    }),
    rotate,
    revoke,
  ];
}

const rotate = defineOperation({
  ...rotateKey,
  async handle({ params, body: { graceHours } }, administration: Administration) {
    const graceMs = graceHours * HOUR_MS;
    const apiKey = await administration.rotateKey(params.id, graceMs);
    if (apiKey === undefined) throw new NotFoundError("Key not found.");
    return { success: true, keyId: params.id, apiKey, oldTextUntil: iso(Date.now() + graceMs) };
  },
});

const HOUR_MS = 60 * 60 * 1000;

const revoke = defineOperation({
  ...revokeKey,
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
