import { z } from "zod";
import { lazy } from "@pergamon-dev/kit/lazy";
import { getTeam } from "../accounts/teams.ts";
import { done } from "../api/common-shapes.ts";
import { DAY, lastPage, TEAM_ID, teamIdPart } from "../api/example-values.ts";
import { limits } from "../api/limits.ts";
import { defineShape } from "../api/operation-shape.ts";
import { Count, CursorQuery, Id, limitOf, pageOf, TeamQuery, Time } from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
import { defineOperation } from "../api/operation.ts";
import { leaseClockOf } from "../storage/coordination/lease-clock.ts";
import type { Database } from "../storage/database/database.ts";
import type { Profiles } from "./profiles.ts";

/** `GET /admin/api/profiles`. */
const ProfileQuery = z.object({ team: TeamQuery, limit: limitOf(100, 1000), cursor: CursorQuery });

/** A listed profile, which `DELETE /admin/api/teams/{id}/profiles/{name}` deletes. */
const ProfileEntry = lazy(() =>
  z.strictObject({
    teamId: Id,
    name: z.string(),
    sizeBytes: Count,
    isLocked: z.boolean(),
    createdAt: Time,
    savedAt: Time.nullable(),
  }),
);

export const OperatorProfilesAnswer = () => pageOf(ProfileEntry());

/** Maximum bytes of an exported profile as JSON. */
const MAX_EXPORT_BYTES = 34 * 1024 * 1024;

/** A profile as a file, which `POST …/import` accepts. */
export const ExportedProfile = () =>
  z.strictObject({
    kind: z.literal("pergamon-profile"),
    teamId: Id.max(100),
    name: z.string().min(1).max(limits.profileNameLength),
    savedAt: Time,
    sealed: z.string().max(MAX_EXPORT_BYTES),
  });

export type OperatorProfilesAnswer = z.output<ReturnType<typeof OperatorProfilesAnswer>>;
export type ExportedProfile = z.output<ReturnType<typeof ExportedProfile>>;

const profilePath = {
  id: teamIdPart,
  name: { type: "string", maxLength: limits.profileNameLength, examples: ["shop"] },
} as const;

const profileFile = {
  kind: "pergamon-profile",
  teamId: TEAM_ID,
  name: "shop",
  savedAt: DAY,
  sealed: "AQID",
} as const;

export interface ProfileServices {
  readonly database: Database;
  readonly profiles: Profiles;
}

const profiles = defineOperation({
  ...forOperator,
  line: "GET /admin/api/profiles",
  query: ProfileQuery,
  answer: defineShape("OperatorProfiles", OperatorProfilesAnswer, {
    ...lastPage,
    data: [{ teamId: TEAM_ID, name: "shop", sizeBytes: 2048, isLocked: false, createdAt: DAY, savedAt: DAY }],
  }),
  errors: [400],
  async handle({ query: { team: teamId, limit, cursor } }, { database }: ProfileServices) {
    const page = await searchProfiles(database, { teamId, limit, cursor, nowMs: leaseClockOf(database)() });
    const data = page.data.map(({ createdAtMs, savedAtMs, ...profile }) => ({
      ...profile,
      createdAt: iso(createdAtMs),
      savedAt: savedAtMs === null ? null : iso(savedAtMs),
    }));
    return { success: true, data, cursor: page.cursor };
  },
});

const profileRemoval = defineOperation({
  ...forOperator,
  line: "DELETE /admin/api/teams/{id}/profiles/{name}",
  audit: "profile.deleted",
  answer: done,
  errors: [404, 409],
  async handle({ params: { id: teamId, name } }, services: ProfileServices) {
    await services.profiles.delete({ teamId, name });
    return { success: true };
  },
});

const profileExport = defineOperation({
  ...forOperator,
  line: "GET /admin/api/teams/{id}/profiles/{name}/export",
  audit: "profile.exported",
  params: profilePath,
  answer: defineShape("ExportedProfile", ExportedProfile, profileFile),
  errors: [400, 404],
  async handle({ params: { id: teamId, name } }, services: ProfileServices) {
    const { savedAtMs, sealed, ...origin } = await services.profiles.export({ teamId, name });
    const base64 = Buffer.from(sealed).toString("base64");
    return { kind: "pergamon-profile" as const, ...origin, savedAt: iso(savedAtMs), sealed: base64 };
  },
});

const profileImport = defineOperation({
  ...forOperator,
  line: "POST /admin/api/teams/{id}/profiles/{name}/import",
  audit: "profile.imported",
  params: profilePath,
  body: defineShape("ImportedProfile", ExportedProfile, profileFile),
  maxBodyBytes: MAX_EXPORT_BYTES,
  answer: done,
  errors: [400, 404, 409],
  async handle({ params: { id: teamId, name }, body }, services: ProfileServices) {
    await getTeam(services.database, teamId);
    const origin = { teamId: body.teamId, name: body.name, savedAtMs: Date.parse(body.savedAt) };
    const sealed = Buffer.from(body.sealed, "base64");
    await services.profiles.import({ teamId, name }, { ...origin, sealed });
    return { success: true };
  },
});

export const operatorProfileOperations = [profiles, profileRemoval, profileExport, profileImport];

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}

/** A profile of any team, for the operator. */
interface ProfileRow {
  readonly teamId: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly isLocked: boolean;
  readonly createdAtMs: number;
  readonly savedAtMs: number | null;
}

interface ProfileFilter {
  readonly teamId?: string | undefined;
  readonly limit: number;
  /** Cursor from the previous page. */
  readonly cursor?: string | undefined;
  readonly nowMs: number;
}

/** Profiles ordered by team and name. An unknown cursor starts at the beginning. */
async function searchProfiles(
  database: Database,
  { teamId, limit, cursor, nowMs }: ProfileFilter,
): Promise<{ readonly data: readonly ProfileRow[]; readonly cursor: string | null }> {
  const [afterTeam = "", afterName = ""] = cursor === undefined ? [] : positionOf(cursor);
  const rows = await database
    .prepared<Omit<ProfileRow, "isLocked"> & { readonly lockedUntilMs: number }>(
      `SELECT team_id AS "teamId", name, size_bytes AS "sizeBytes", created_at AS "createdAtMs",
         saved_at AS "savedAtMs", locked_until AS "lockedUntilMs" FROM profiles
       WHERE (team_id > ? OR (team_id = ? AND name > ?)) AND (? = '' OR team_id = ?)
       ORDER BY team_id, name LIMIT ?`,
    )
    .all(afterTeam, afterTeam, afterName, teamId ?? "", teamId ?? "", limit + 1);
  const data = rows
    .slice(0, limit)
    .map(({ lockedUntilMs, ...row }) => ({ ...row, isLocked: lockedUntilMs > nowMs }));
  const last = data.at(-1);
  return { data, cursor: last && rows.length > limit ? cursorOf(last) : null };
}

function cursorOf({ teamId, name }: ProfileRow): string {
  return Buffer.from(`${teamId}\n${name}`).toString("base64url");
}

function positionOf(cursor: string): readonly string[] {
  return Buffer.from(cursor, "base64url").toString("utf8").split("\n", 2);
}
