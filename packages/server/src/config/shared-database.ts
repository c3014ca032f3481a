import { ownProperty } from "@pergamon-dev/kit/own-property";
import { ROLES } from "./nodes.ts";
import type { Environment } from "./part.ts";

/** Settings that several machines with a shared database also need, with the reasons. */
const NEEDED: readonly (readonly [name: string, why: string])[] = [
  ["SECRET_KEY", "a key file in DATA_DIR would be another one on each machine"],
  ["ADMIN_KEY", "a key made at the first start would be known to one machine only"],
  ["BLOBS_URL", "pages and documents have to be where every machine reaches them"],
];

/** Problems of settings that are each valid alone, in lines like those of invalid settings. */
export function problemsOfSharing(given: Environment): readonly string[] {
  return [...problemsOfNodes(given), ...problemsOfRoles(given), ...problemsOfStores(given)];
}

/** Machines with only some of the roles need others. */
function problemsOfRoles({ ROLES: roles, NODE_URL, DATABASE_URL }: Environment): string[] {
  const given = roles?.split(",").filter((role) => role.trim() !== "") ?? [];
  if (given.length === 0 || given.length === ROLES.length) return [];
  if (!isShared(DATABASE_URL)) {
    return [
      "  ROLES: must be api,work with an embedded database (DATABASE_URL=sqlite:), because no other machine could do the rest. WORKERS uses more cores of this one",
    ];
  }
  if (NODE_URL === undefined)
    return ["  NODE_URL: is required with ROLES, because machines find each other by it"];
  return [];
}

function problemsOfNodes({ NODE_URL, NODE_SECRET, WORKERS, DATABASE_URL, BLOBS_URL }: Environment): string[] {
  const problems: string[] = [];
  if (NODE_URL !== undefined && NODE_SECRET === undefined)
    problems.push("  NODE_SECRET: is required with NODE_URL, because machines know each other by it");
  if (WORKERS === undefined || Number(WORKERS) === 1) return problems;
  if (DATABASE_URL === "sqlite::memory:")
    problems.push(
      "  WORKERS: must be 1 with DATABASE_URL=sqlite::memory:, which each process has for itself",
    );
  if (BLOBS_URL?.startsWith("memory:"))
    problems.push("  WORKERS: must be 1 with BLOBS_URL=memory:, which each process has for itself");
  return problems;
}

function problemsOfStores(given: Environment): readonly string[] {
  const { DATABASE_URL, DATABASE_DIRECT_URL, BLOBS_URL } = given;
  if (!isShared(DATABASE_URL)) {
    return DATABASE_DIRECT_URL === undefined
      ? []
      : ["  DATABASE_DIRECT_URL: is for a DATABASE_URL that leads to a pooler of Postgres"];
  }
  const missing = NEEDED.filter(([name]) => ownProperty(given, name) === undefined).map(
    ([name, why]) => `  ${name}: is required when DATABASE_URL is not sqlite:, because ${why}`,
  );
  return [
    ...missing,
    ...(BLOBS_URL?.startsWith("memory:") === true
      ? ["  BLOBS_URL: must not be memory: when DATABASE_URL is not sqlite:"]
      : []),
    ...(DATABASE_DIRECT_URL !== undefined && namesOtherSchema(DATABASE_URL)
      ? [
          "  DATABASE_URL: must not name another schema than public with DATABASE_DIRECT_URL, because a pooler does not pass it on. Leave it out of both, and let the role choose it: ALTER ROLE pergamon SET search_path = name",
        ]
      : []),
  ];
}

function namesOtherSchema(databaseUrl = ""): boolean {
  return (
    URL.canParse(databaseUrl) && (new URL(databaseUrl).searchParams.get("schema") ?? "public") !== "public"
  );
}

function isShared(databaseUrl: string | undefined): boolean {
  return databaseUrl !== undefined && !databaseUrl.startsWith("sqlite:");
}
