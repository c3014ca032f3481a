import type { KeyEntry } from "@pergamon-dev/server/accounts/operator/keys";
import { session } from "../../client/session.ts";
import { plainly } from "../../format/foreign.ts";
import { count, plural } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import type { Column } from "../../parts/table.tsx";

/** What is said of each key, besides its team. */
export const KEY_COLUMNS: readonly Column<KeyEntry>[] = [
  {
    heading: "Name",
    by: nameOf,
    kind: "name",
    cell: (entry) => (
      <>
        {session.value?.operator.role === "team" ? (
          <span class="foreign">{nameOf(entry)}</span>
        ) : (
          <a
            class="foreign"
            href={`/dashboard/requests?team=${entry.teamId}&key=${entry.keyId}`}
            title={`Key ${entry.keyId}`}
          >
            {nameOf(entry)}
          </a>
        )}
        <span class="faint mono">{entry.ending === null ? entry.keyId : `fc-…${entry.ending}`}</span>
      </>
    ),
  },
  { heading: "State", cell: (entry) => <KeyState entry={entry} /> },
  {
    heading: "Restrictions",
    from: "wide",
    class: "dim words",
    cell: ({ restrictions }) => limitsOf(restrictions),
  },
  {
    heading: "Used this month",
    by: ({ creditsUsedThisMonth }) => creditsUsedThisMonth,
    kind: "number",
    from: "wide",
    cell: usedOf,
  },
  {
    heading: "Last used",
    by: ({ lastUsedAt }) => lastUsedAt,
    from: "roomy",
    class: "dim",
    cell: ({ createdAt, lastUsedAt }) => (
      <span title={`Made ${exactly(createdAt)}`}>{lastUsedAt === null ? "never" : moment(lastUsedAt)}</span>
    ),
  },
];

function KeyState({ entry }: { readonly entry: KeyEntry }) {
  const { revokedAt, restrictions, oldTextUntil, expiresAt, creditsUsedThisMonth } = entry;
  if (revokedAt !== null) return <Badge tone="bad">revoked</Badge>;
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) {
    return (
      <Badge tone="bad" title={`Since ${exactly(expiresAt)}`}>
        expired
      </Badge>
    );
  }
  if (restrictions["banned"] === true) return <Badge tone="bad">banned</Badge>;
  const credits = restrictions["credits"];
  if (typeof credits === "number" && creditsUsedThisMonth >= credits)
    return <Badge tone="bad">limit used up</Badge>;
  if (oldTextUntil !== null && Date.parse(oldTextUntil) > Date.now()) {
    return (
      <Badge tone="warn" title={`The old text works until ${exactly(oldTextUntil)}`}>
        rotated
      </Badge>
    );
  }
  return (
    <Badge tone="ok" {...(expiresAt !== null && { title: `Until ${exactly(expiresAt)}` })}>
      works
    </Badge>
  );
}

/** Credits of this month, of the limit where there is one. */
function usedOf({ creditsUsedThisMonth, restrictions }: KeyEntry): string {
  const limit = restrictions["credits"];
  const used = count(creditsUsedThisMonth);
  return typeof limit === "number" ? `${used} of ${count(limit)}` : used;
}

/** Restriction → what it says of itself. */
const LIMITS: Readonly<Record<string, (value: never) => string>> = {
  formats: (names: readonly string[]) => `only ${names.join(", ")}`,
  endpoints: (names: readonly string[]) => `only ${names.join(", ")}`,
  allowedIps: (addresses: readonly string[]) => `from ${plural(addresses.length, "address", "addresses")}`,
  requestsPerMinute: (most: number) => `${plural(most, "request")} per minute`,
  credits: (most: number) => `${plural(most, "credit")} per month`,
  banned: (isBanned: boolean) => (isBanned ? "banned" : ""),
};

/** What a key may not, in words. */
function limitsOf(restrictions: KeyEntry["restrictions"]): string {
  const limits = Object.entries(restrictions).map(([name, value]) => LIMITS[name]?.(value as never) ?? name);
  return limits.filter((limit) => limit !== "").join(", ") || "none";
}

export function nameOf({ name, keyId }: KeyEntry): string {
  return name === "" ? keyId.slice(0, 8) : plainly(name);
}
