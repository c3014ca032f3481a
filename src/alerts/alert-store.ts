import { randomBytes } from "node:crypto";

import { ChangedMeanwhileError } from "../contract/errors.ts";
import type { AlertRules, AlertSettings } from "../contract/operator/alerts.ts";
import type { Database, Statements } from "../platform/database/database.ts";
import type { Secrets } from "../platform/secrets/secrets.ts";

/** Alerts for the operator, and where. Sealed in the database: the URL and the secret are keys. */
export interface StoredAlertSettings {
  readonly rules: AlertRules;
  readonly webhook: { readonly url: string; readonly secret: string } | null;
  readonly mail: readonly string[];
}

export interface VersionedAlertSettings extends StoredAlertSettings {
  /** Counts up with each change; 0: nothing was ever set. */
  readonly version: number;
}

const ID = "alerts";
const SECRET_BYTES = 32;
const NOTHING: StoredAlertSettings = {
  rules: { parts: false, errorRate: null, credits: null },
  webhook: null,
  mail: [],
};

interface SettingsRow {
  readonly version: number;
  readonly value: string;
}

/** The settings of alerts. */
export class AlertStore {
  readonly #database: Database;
  readonly #secrets: Pick<Secrets, "seal" | "open">;

  constructor(database: Database, secrets: Pick<Secrets, "seal" | "open">) {
    this.#database = database;
    this.#secrets = secrets;
  }

  /** @throws SealError when SECRET_KEY is not the one that they were sealed with. */
  async read(): Promise<VersionedAlertSettings> {
    const row = await rowIn(this.#database);
    return row ? this.#opened(row) : { ...NOTHING, version: 0 };
  }

  /**
   * @param expected version that was looked at; undefined: whichever there is.
   * @returns what holds from now on, and the secret if it is a new one. @throws ChangedMeanwhileError.
   */
  async change(
    { rules, webhook, rotateSecret, mail }: AlertSettings,
    expected: string | undefined,
  ): Promise<{ readonly before: StoredAlertSettings; readonly secret: string | null }> {
    return this.#database.transaction(async (inside) => {
      const row = await rowIn(inside);
      const before: VersionedAlertSettings = row ? this.#openedOrNothing(row) : { ...NOTHING, version: 0 };
      if (expected !== undefined && expected !== String(before.version)) throw changedMeanwhile();
      const url = webhook === undefined ? before.webhook?.url : webhook?.url;
      // A secret never signs for a receiver that its owner did not mean.
      const isKept = url !== undefined && url === before.webhook?.url && !rotateSecret;
      const secret = isKept ? (before.webhook?.secret ?? newSecret()) : newSecret();
      const next = { rules, webhook: url === undefined ? null : { url, secret }, mail };
      await this.#write(inside, next, before.version);
      return { before, secret: url === undefined || isKept ? null : secret };
    });
  }

  async #write(inside: Statements, next: StoredAlertSettings, seenVersion: number): Promise<void> {
    const sealed = this.#secrets.seal(Buffer.from(JSON.stringify(next)), ID);
    const value = Buffer.from(sealed).toString("base64");
    const written = await inside
      .prepared(
        `INSERT INTO alert_settings (id, version, value, changed_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET version = excluded.version, value = excluded.value,
           changed_at = excluded.changed_at WHERE alert_settings.version = ?`,
      )
      .run(ID, seenVersion + 1, value, Date.now(), seenVersion);
    if (written === 0) throw changedMeanwhile();
  }

  #opened({ version, value }: SettingsRow): VersionedAlertSettings {
    const text = Buffer.from(this.#secrets.open(Buffer.from(value, "base64"), ID)).toString("utf8");
    return { ...(JSON.parse(text) as StoredAlertSettings), version };
  }

  /** Setting them again does not require opening the old ones. */
  #openedOrNothing(row: SettingsRow): VersionedAlertSettings {
    try {
      return this.#opened(row);
    } catch {
      return { ...NOTHING, version: row.version };
    }
  }
}

function rowIn(statements: Statements): Promise<SettingsRow | undefined> {
  return statements.prepared<SettingsRow>("SELECT version, value FROM alert_settings WHERE id = ?").get(ID);
}

function changedMeanwhile(): ChangedMeanwhileError {
  return new ChangedMeanwhileError("The alerts were changed in the meantime. Reload them.");
}

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64url")}`;
}
