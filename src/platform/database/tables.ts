import type { Generated } from "kysely";

/**
 * Every table, for the query builder. Ids are text (UUID version 7), times are milliseconds since 1970,
 * booleans are 0 or 1, JSON is text. The migrations create what stands here.
 */
export interface Tables {
  readonly teams: TeamRow;
  readonly api_keys: ApiKeyRow;
  readonly usage: UsageRow;
  readonly ledger_accounts: LedgerAccountRow;
  readonly ledger_entries: LedgerEntryRow;
  readonly ledger_holds: LedgerHoldRow;
  readonly captures: CaptureRow;
  readonly scrapes: ScrapeRow;
  readonly documents: DocumentRow;
  readonly profiles: ProfileRow;
  readonly files: FileRow;
  readonly page_versions: PageVersionRow;
  readonly model_tokens: ModelTokensRow;
}

interface TeamRow {
  readonly id: string;
  /** Empty once the team is deleted. */
  readonly name: string;
  readonly created_at: number;
  /** JSON. */
  readonly flags: Generated<string>;
  /** JSON. */
  readonly limits: Generated<string>;
  /** 0: credits are counted and never run out. */
  readonly is_limited: Generated<number>;
  /** Credits granted each period; null for none. */
  readonly allowance: Generated<number | null>;
  readonly allowance_period: Generated<string | null>;
  readonly deleted_at: Generated<number | null>;
  /** JSON. */
  readonly threat_policy: Generated<string | null>;
  readonly threat_policy_updated_at: Generated<number | null>;
}

interface ApiKeyRow {
  readonly id: string;
  readonly team_id: string;
  readonly name: string;
  /** SHA-256 of the key, hex. The key itself is nowhere. */
  readonly key_hash: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
  /** JSON. */
  readonly restrictions: Generated<string>;
  /** When the key expires; null when it does not expire. */
  readonly expires_at: Generated<number | null>;
}

interface UsageRow {
  readonly team_id: string;
  /** Empty when the work was done without a key. */
  readonly key_id: string;
  /** First instant of the calendar month, UTC. */
  readonly month: number;
  readonly credits_used: number;
  readonly requests: number;
}

/** An account of a team that holds credits. Its balance is what was credited less what was debited. */
interface LedgerAccountRow {
  readonly team_id: string;
  readonly account: string;
  readonly credited: number;
  readonly debited: number;
  /** Of the allowance, in its period. */
  readonly granted: number;
  /** When the period of the last allowance began; 0 where that means nothing. */
  readonly period_start: number;
}

/** Credits that moved from one account to another. Never changed. */
interface LedgerEntryRow {
  readonly team_id: string;
  /** Id of the request for a charge, so that it happens once. */
  readonly id: string;
  readonly from_account: string;
  readonly to_account: string;
  readonly amount: number;
  readonly key_id: string | null;
  readonly created_at: number;
}

/** Credits set aside for work that is under way. */
interface LedgerHoldRow {
  readonly id: string;
  readonly team_id: string;
  readonly key_id: string | null;
  readonly amount: number;
  readonly created_at: number;
  /** Name of the lease of the process that holds them; empty in rows from before this was noted. */
  readonly owner: Generated<string>;
}

interface CaptureRow {
  readonly id: string;
  /** Who may read it: `instance`, or later a team id. */
  readonly scope: string;
  readonly key_hash: string;
  /** As in the cache key, without credentials. */
  readonly url: string;
  readonly screenshot: string;
  readonly wait_for_ms: number;
  readonly status_code: number;
  readonly size_bytes: number;
  readonly representation: string;
  readonly stored_at: number;
  /** Who had it fetched; it serves all teams. */
  readonly team_id: Generated<string | null>;
}

interface ScrapeRow {
  readonly id: string;
  readonly team_id: string;
  readonly key_id: string | null;
  readonly url: string;
  readonly status: string;
  readonly status_code: number | null;
  readonly error_code: string | null;
  readonly credits_used: number;
  readonly duration_ms: number;
  readonly cache_state: string | null;
  readonly origin: string | null;
  readonly document_key: string | null;
  readonly capture_id: string | null;
  readonly recipe: string | null;
  readonly created_at: number;
  /** Of the URL, as URL parsing spells it. */
  readonly host: Generated<string | null>;
  /** Names between commas, with one at each end. */
  readonly formats: Generated<string | null>;
  /** How the page was got. */
  readonly way: Generated<string | null>;
  readonly replay_of: Generated<string | null>;
  /** JSON: what only the operator looks at. */
  readonly details: Generated<string | null>;
  /** Of the work: `scrape`, `crawl` … */
  readonly kind: Generated<string>;
  /** The work that it is a part of. */
  readonly parent_id: Generated<string | null>;
}

interface DocumentRow {
  readonly document_key: string;
  readonly blob_id: string;
  readonly size_bytes: number;
  readonly expires_at: number;
}

interface ProfileRow {
  readonly team_id: string;
  readonly name: string;
  /** Null until something was saved. */
  readonly blob_id: string | null;
  readonly size_bytes: number;
  readonly created_at: number;
  readonly saved_at: number | null;
  /** Who writes, as long as `locked_until` is not over. */
  readonly lock_id: string | null;
  readonly locked_until: number;
}

interface FileRow {
  /** Made from team and content, so that a team's same content is kept once. */
  readonly file_key: string;
  readonly blob_id: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly expires_at: number;
  readonly team_id: Generated<string | null>;
}

/** What a page said, for the team that follows its changes. The text is a blob of the same id. */
interface ModelTokensRow {
  readonly team_id: string;
  /** Beginning of the day in UTC. */
  readonly day: number;
  readonly model: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

interface PageVersionRow {
  readonly id: string;
  readonly team_id: string;
  /** SHA-256 of URL and tag, hex. */
  readonly history_key: string;
  readonly scraped_at: number;
}
