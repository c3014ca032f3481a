import { randomBytes } from "node:crypto";

import type { OperationDescription } from "../api/operation-shape.ts";
import { ForbiddenError } from "../api/errors.ts";
import { sha256Hex } from "@pergamon-dev/kit/hash";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Database } from "../storage/database/database.ts";

/** Who operates the service, or looks at it. */
export interface Operator {
  /** Of their own key. Null: the service's operator key or a login link. */
  readonly id: string | null;
  readonly name: string | null;
  /** A viewer changes nothing; a team reads only what is its own. */
  readonly role: "admin" | "viewer" | "team";
  readonly teamId: string | null;
}

export interface OperatorKey {
  readonly id: string;
  readonly name: string;
  readonly role: "admin" | "viewer";
  readonly createdAtMs: number;
}

/** Keys of the people who operate the service. Only their hashes are stored. */
export interface Operators {
  /** @returns the key, which cannot be read again. */
  add(person: Pick<OperatorKey, "name" | "role">): Promise<{ readonly id: string; readonly key: string }>;
  find(key: string): Promise<Operator | undefined>;
  /** Oldest first. */
  list(): Promise<readonly OperatorKey[]>;
  /** Ends the key, and with it all logins that it began. @returns false when there is no such key. */
  remove(id: string): Promise<boolean>;
}

export const MAIN_OPERATOR: Operator = { id: null, name: null, role: "admin", teamId: null };

const OPERATOR_KEY = /^po-[0-9a-f]{48}$/;
const COLUMNS = `id, name, role, created_at AS "createdAtMs"`;

export function openOperators(database: Database, clock: () => number = Date.now): Operators {
  return {
    async add({ name, role }) {
      const [id, key] = [uuidV7(clock()), `po-${randomBytes(24).toString("hex")}`];
      await database
        .prepared("INSERT INTO operator_keys (id, name, role, key_hash, created_at) VALUES (?, ?, ?, ?, ?)")
        .run(id, name, role, sha256Hex(key), clock());
      return { id, key };
    },
    async find(key) {
      if (!OPERATOR_KEY.test(key)) return undefined;
      const row = await database
        .prepared<OperatorKey>(`SELECT ${COLUMNS} FROM operator_keys WHERE key_hash = ?`)
        .get(sha256Hex(key));
      return row && { id: row.id, name: row.name, role: row.role, teamId: null };
    },
    list: () => database.prepared<OperatorKey>(`SELECT ${COLUMNS} FROM operator_keys ORDER BY id`).all(),
    async remove(id) {
      return (await database.prepared("DELETE FROM operator_keys WHERE id = ?").run(id)) > 0;
    },
  };
}

/** What a request says of its place: its path's id, and the team that it narrows to. */
interface AskedOf {
  readonly params: unknown;
  readonly query: unknown;
}

/** @throws ForbiddenError unless the role of the operator has room for the operation. */
export function requireRole(
  { role, teamId }: Operator,
  { line, audit, query, least }: Pick<OperationDescription, "line" | "audit" | "query" | "least">,
  asked: AskedOf,
): void {
  if (role === "admin") return;
  if (role === "viewer") {
    if (least !== undefined || (line.startsWith("GET ") && audit === undefined)) return;
    throw new ForbiddenError(
      "Forbidden: your operator key may look at everything but secrets, and change nothing.",
    );
  }
  const { id } = asked.params as { readonly id?: string };
  const { team } = asked.query as { readonly team?: unknown };
  const isOwn = (id ?? teamId) === teamId && (query?.shape["team"] === undefined || team === teamId);
  if (least !== "team" || teamId === null || !isOwn)
    throw new ForbiddenError("Forbidden: the key of a team opens the page of that team alone.");
}
