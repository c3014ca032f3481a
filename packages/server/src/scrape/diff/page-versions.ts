import { z } from "zod";

import { stableHash } from "@pergamon-dev/kit/hash";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlobStore } from "../../storage/blobs/blob-store.ts";
import type { Database } from "../../storage/database/database.ts";
import type { TeamData } from "../../storage/team-data.ts";
import { OwnedBlobs, removeInSteps } from "../../storage/owned-blobs.ts";
import { packBlob, unpackBlob } from "../../storage/stored-blob.ts";

/** Identifies one page's history by team and requested URL. `tag` separates histories of the same page. */
export interface HistoryName {
  readonly teamId: string;
  readonly url: string;
  readonly tag: string | null;
}

export interface PageVersion {
  readonly text: string;
  readonly scrapedAtMs: number;
  /** Undefined when the capture is not kept. */
  readonly source?: VersionSource | undefined;
}

interface VersionSource {
  readonly captureId: string;
  /** Equal for texts that were made with the same options. */
  readonly reading: string;
}

/** The newest versions of pages with change tracking. They do not expire (contract, section 3.12). */
export interface PageVersions extends TeamData {
  /**
   * Returns the newest version before that time, or undefined.
   * @throws Error when its stored text cannot be read.
   */
  newest(name: HistoryName, beforeMs: number): Promise<PageVersion | undefined>;
  /**
   * Keeps a version only when it is newer than all stored ones. An older one, as of a stored page, has no
   * more use.
   */
  keep(name: HistoryName, version: PageVersion): Promise<void>;
}

/** Versions that earlier releases stored name no source. */
const VersionFacts = z.object({
  source: z.object({ captureId: z.string(), reading: z.string() }).optional(),
});

interface VersionOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly clock?: () => number;
}

/** The newest version serves comparisons. A reader may still be loading the one before it. */
const KEPT_VERSIONS = 2;
const BLOB_FOLDER = "versions";

export function openPageVersions(options: VersionOptions): PageVersions {
  return new StoredVersions(options);
}

interface VersionRow {
  readonly id: string;
  readonly scrapedAtMs: number;
}

class StoredVersions implements PageVersions {
  readonly #database: Database;
  readonly #blobs: OwnedBlobs;
  readonly #clock: () => number;

  constructor({ database, blobs, clock = Date.now }: VersionOptions) {
    this.#database = database;
    this.#blobs = new OwnedBlobs({
      blobs,
      folder: BLOB_FOLDER,
      database,
      table: "page_versions",
      column: "id",
    });
    this.#clock = clock;
  }

  async newest(name: HistoryName, beforeMs: number): Promise<PageVersion | undefined> {
    const rows = await this.#rows(name);
    const row = rows.find(({ scrapedAtMs }) => scrapedAtMs < beforeMs);
    if (!row) return undefined;
    const blob = await this.#blobs.get(row.id);
    const content = blob && (await unpackBlob(blob));
    if (!content) throw new Error("The earlier version of the page is lost or damaged.");
    const { source } = VersionFacts.parse(JSON.parse(content.facts));
    const text = Buffer.from(content.body).toString("utf8");
    return { text, scrapedAtMs: row.scrapedAtMs, ...(source && { source }) };
  }

  async keep(name: HistoryName, { text, scrapedAtMs, source }: PageVersion): Promise<void> {
    const [newest] = await this.#rows(name);
    if (newest && newest.scrapedAtMs >= scrapedAtMs) return;
    const id = uuidV7(this.#clock());
    const blob = await packBlob({ facts: JSON.stringify({ source }), body: Buffer.from(text) });
    await this.#blobs.put(id, blob);
    await this.#database
      .prepared("INSERT INTO page_versions (id, team_id, history_key, scraped_at) VALUES (?, ?, ?, ?)")
      .run(id, name.teamId, keyOf(name), scrapedAtMs);
    const rows = await this.#rows(name);
    for (const old of rows.slice(KEPT_VERSIONS)) await this.#remove(old.id);
  }

  async erase(teamId: string): Promise<void> {
    const rows = await this.#database
      .prepared<{ id: string }>("SELECT id FROM page_versions WHERE team_id = ?")
      .all(teamId);
    for (const { id } of rows) await this.#remove(id);
  }

  /** Removes versions that a team wrote while it was being deleted, and texts without a row. */
  async prune(): Promise<void> {
    const left = this.#database.prepared<{ id: string }>(
      `SELECT id FROM page_versions
       WHERE team_id IN (SELECT id FROM teams WHERE deleted_at IS NOT NULL) LIMIT ?`,
    );
    await removeInSteps(
      (limit) => left.all(limit),
      ({ id }) => this.#remove(id),
    );
    await this.#blobs.removeOrphans(this.#clock());
  }

  /** Newest first, because ids follow the clock. */
  #rows(name: HistoryName): Promise<readonly VersionRow[]> {
    return this.#database
      .prepared<VersionRow>(
        `SELECT id, scraped_at AS "scrapedAtMs" FROM page_versions
         WHERE team_id = ? AND history_key = ? ORDER BY id DESC`,
      )
      .all(name.teamId, keyOf(name));
  }

  async #remove(id: string): Promise<void> {
    await this.#database.prepared("DELETE FROM page_versions WHERE id = ?").run(id);
    await this.#blobs.delete(id);
  }
}

/** Hashes the URL, because URLs can hold secrets. */
function keyOf({ url, tag }: HistoryName): string {
  return stableHash([url, tag]);
}
