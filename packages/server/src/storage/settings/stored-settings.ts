import { ChangedMeanwhileError } from "../../api/errors.ts";
import type { Database, Statements } from "../database/database.ts";
import { nextOfSequence } from "../database/sequences.ts";
import type { Secrets } from "../secrets/secrets.ts";

/** Settings from the dashboard, all encrypted. */
export interface StoredSettings {
  /** Increases with each change; 0 when nothing was ever set. */
  readonly version: number;
  readonly values: Readonly<Record<string, string>>;
  /** Names of settings that the key of this process cannot open. */
  readonly unreadable: readonly string[];
}

/** Null withdraws a setting. */
export type SettingChanges = Readonly<Record<string, string | null>>;

interface SettingRow {
  readonly name: string;
  readonly value: string | null;
}

/** Stores settings in the database. Callers decide which settings exist and whether they are valid. */
export class SettingStore {
  readonly #database: Database;
  readonly #secrets: Secrets;

  constructor(database: Database, secrets: Secrets) {
    this.#database = database;
    this.#secrets = secrets;
  }

  version(): Promise<number> {
    return versionIn(this.#database);
  }

  async read(): Promise<StoredSettings> {
    const version = await this.version();
    const rows = await this.#database
      .prepared<SettingRow>("SELECT name, value FROM settings WHERE value IS NOT NULL ORDER BY name")
      .all();
    const opened = rows.map(({ name, value }) => [name, this.#open(name, value ?? "")] as const);
    const values = opened.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    const unreadable = opened.flatMap(([name, value]) => (value === undefined ? [name] : []));
    return { version, values: Object.fromEntries(values), unreadable };
  }

  /** Applies all changes or none. @throws ChangedMeanwhileError when the version differs from `expected`. */
  async change(changes: SettingChanges, expected: number): Promise<void> {
    await this.#database.transaction(async (tx) => {
      // The sequence comes first, because its row lets only one change in at a time.
      const sequence = await nextOfSequence(tx, "settings", 1);
      if ((await versionIn(tx)) !== expected)
        throw new ChangedMeanwhileError("The settings were changed in the meantime. Reload them.");
      for (const [name, value] of Object.entries(changes)) {
        const sealed = value === null ? null : this.#seal(name, value);
        await tx.prepared(WRITE).run(name, sealed, sequence, Date.now());
      }
    });
  }

  #seal(name: string, value: string): string {
    return Buffer.from(this.#secrets.seal(Buffer.from(value), purposeOf(name))).toString("base64");
  }

  #open(name: string, sealed: string): string | undefined {
    try {
      return Buffer.from(this.#secrets.open(Buffer.from(sealed, "base64"), purposeOf(name))).toString();
    } catch {
      return undefined;
    }
  }
}

const WRITE = `INSERT INTO settings (name, value, sequence, changed_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value, sequence = excluded.sequence, changed_at = excluded.changed_at`;

async function versionIn(statements: Statements): Promise<number> {
  const row = await statements
    .prepared<{ version: number | null }>("SELECT max(sequence) AS version FROM settings")
    .get();
  return row?.version ?? 0;
}

function purposeOf(name: string): string {
  return `setting:${name}`;
}
