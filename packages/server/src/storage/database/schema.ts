/** One migration step. There is no way back. */
export interface Migration {
  /** Increases without gaps. */
  readonly version: number;
  readonly name: string;
  /** Portable SQL, one statement each, run in order in one transaction. */
  readonly statements: readonly string[];
  /** Statements that run after the others where the database has text search. They need not be portable. */
  readonly ofTextSearch?: readonly string[];
}

/**
 * All tables of version 0.1.0 in portable SQL. Times are milliseconds since 1970; lists and objects are JSON.
 */
const statements = [
  // Teams and their keys, usage counters, stored captures, the history of scrapes and its documents.
  `CREATE TABLE teams (
    id text PRIMARY KEY,
    name text NOT NULL,
    created_at bigint NOT NULL,
    flags text NOT NULL DEFAULT '{}',
    limits text NOT NULL DEFAULT '{}',
    is_limited integer NOT NULL DEFAULT 0,
    allowance bigint,
    allowance_period text,
    deleted_at bigint,
    threat_policy text,
    threat_policy_updated_at bigint
  )`,

  `CREATE TABLE api_keys (
    id text PRIMARY KEY,
    team_id text NOT NULL REFERENCES teams (id),
    name text NOT NULL,
    key_hash text NOT NULL UNIQUE,
    created_at bigint NOT NULL,
    last_used_at bigint,
    revoked_at bigint,
    restrictions text NOT NULL DEFAULT '{}',
    expires_at bigint,
    ending text,
    old_hash text,
    old_until bigint
  )`,
  "CREATE INDEX api_keys_by_team ON api_keys (team_id)",
  "CREATE INDEX api_keys_by_old_hash ON api_keys (old_hash) WHERE old_hash IS NOT NULL",

  `CREATE TABLE usage (
    team_id text NOT NULL,
    key_id text NOT NULL,
    month bigint NOT NULL,
    credits_used bigint NOT NULL,
    requests bigint NOT NULL,
    PRIMARY KEY (team_id, month, key_id)
  )`,

  `CREATE TABLE captures (
    id text PRIMARY KEY,
    scope text NOT NULL,
    key_hash text NOT NULL,
    url text NOT NULL,
    screenshot text NOT NULL,
    wait_for_ms integer NOT NULL,
    status_code integer NOT NULL,
    size_bytes bigint NOT NULL,
    representation text NOT NULL,
    stored_at bigint NOT NULL,
    team_id text,
    has_unverified_tls integer NOT NULL DEFAULT 1,
    confirmations integer NOT NULL DEFAULT 0,
    content_hash text NOT NULL DEFAULT '',
    has_validator integer NOT NULL DEFAULT 0
  )`,
  "CREATE INDEX captures_by_age ON captures (stored_at)",
  "CREATE INDEX captures_by_name ON captures (scope, key_hash, stored_at)",
  "CREATE INDEX captures_by_url ON captures (url) WHERE length(url) <= 2000",

  `CREATE TABLE scrapes (
    id text PRIMARY KEY,
    team_id text NOT NULL,
    key_id text,
    url text NOT NULL,
    status text NOT NULL,
    status_code integer,
    error_code text,
    credits_used integer NOT NULL,
    duration_ms integer NOT NULL,
    cache_state text,
    origin text,
    document_key text,
    capture_id text,
    recipe text,
    created_at bigint NOT NULL,
    host text,
    formats text,
    way text,
    replay_of text,
    details text,
    kind text NOT NULL DEFAULT 'scrape',
    parent_id text,
    is_partial integer
  )`,
  // Ids sort by time. Each index of all rows costs every request a twentieth of what a cached answer costs.
  "CREATE INDEX scrapes_of_team ON scrapes (team_id, id)",
  "CREATE INDEX scrapes_by_replay ON scrapes (replay_of) WHERE replay_of IS NOT NULL",
  "CREATE INDEX scrapes_by_parent ON scrapes (parent_id, id) WHERE parent_id IS NOT NULL",
  // Histories of teams leave out the pages of jobs, because there can be very many.
  "CREATE INDEX scrapes_of_own ON scrapes (team_id, created_at, id) WHERE parent_id IS NULL",
  "CREATE INDEX scrapes_of_sessions ON scrapes (team_id, created_at, id) WHERE kind = 'session'",
  // With all that groups of failures are made from.
  "CREATE INDEX scrapes_by_error ON scrapes (error_code, id, host, created_at, team_id) WHERE error_code IS NOT NULL",
  "CREATE INDEX scrapes_partial ON scrapes (id) WHERE is_partial = 1",

  `CREATE TABLE documents (
    document_key text PRIMARY KEY,
    blob_id text NOT NULL,
    size_bytes bigint NOT NULL,
    expires_at bigint NOT NULL,
    body text,
    made_from text,
    outline text
  )`,
  "CREATE INDEX documents_by_source ON documents (made_from, expires_at) WHERE made_from IS NOT NULL",
  "CREATE INDEX documents_by_expiry ON documents (expires_at)",
  "CREATE INDEX documents_by_blob ON documents (blob_id)",

  // Named browser storage with its writer's lock, and files that answers link to.
  `CREATE TABLE profiles (
    team_id text NOT NULL,
    name text NOT NULL,
    blob_id text,
    size_bytes bigint NOT NULL,
    created_at bigint NOT NULL,
    saved_at bigint,
    lock_id text,
    locked_until bigint NOT NULL,
    PRIMARY KEY (team_id, name)
  )`,

  `CREATE TABLE files (
    file_key text PRIMARY KEY,
    blob_id text NOT NULL,
    content_type text NOT NULL,
    size_bytes bigint NOT NULL,
    expires_at bigint NOT NULL,
    team_id text
  )`,
  "CREATE INDEX files_by_expiry ON files (expires_at)",
  "CREATE INDEX files_by_blob ON files (blob_id)",

  // What teams may do, restrictions of keys, and the ledger of credits.
  `CREATE TABLE ledger_accounts (
    team_id text NOT NULL,
    account text NOT NULL,
    credited bigint NOT NULL,
    debited bigint NOT NULL,
    granted bigint NOT NULL,
    period_start bigint NOT NULL,
    PRIMARY KEY (team_id, account),
    CHECK (debited >= 0 AND debited <= credited)
  )`,

  `CREATE TABLE ledger_entries (
    team_id text NOT NULL,
    id text NOT NULL,
    from_account text NOT NULL,
    to_account text NOT NULL,
    amount bigint NOT NULL CHECK (amount > 0),
    key_id text,
    created_at bigint NOT NULL,
    PRIMARY KEY (team_id, id)
  )`,

  `CREATE TABLE ledger_holds (
    id text PRIMARY KEY,
    team_id text NOT NULL,
    key_id text,
    amount bigint NOT NULL,
    created_at bigint NOT NULL,
    owner text NOT NULL DEFAULT ''
  )`,

  // Threat policies of teams, and the audit log.
  `CREATE TABLE audit_events (
    id text PRIMARY KEY,
    team_id text,
    created_at bigint NOT NULL,
    event text NOT NULL,
    sequence bigint NOT NULL DEFAULT 0
  )`,
  "CREATE UNIQUE INDEX audit_events_in_order ON audit_events (sequence)",
  `CREATE INDEX audit_changes_in_order ON audit_events (sequence) WHERE substr(event, 88, 7) <> 'scrape"' AND substr(event, 88, 4) <> 'map"' AND substr(event, 88, 7) <> 'search"' AND substr(event, 88, 5) <> 'tool"'`,

  // Delivery position of the audit log at a collector.
  `CREATE TABLE audit_deliveries (
    collector text PRIMARY KEY,
    last_event_id text NOT NULL,
    last_sequence bigint NOT NULL DEFAULT 0
  )`,

  // Coordination of the processes over one database: leases, limits, messages, and numbers in commit order.
  `CREATE TABLE leases (
    name text PRIMARY KEY,
    holder text NOT NULL,
    held_until bigint NOT NULL
  )`,

  // Rate limits, as the time when everything that has passed is worked off.
  `CREATE TABLE rates (
    name text PRIMARY KEY,
    due_at double precision NOT NULL
  )`,

  `CREATE TABLE slot_seats (
    slot text NOT NULL,
    process text NOT NULL,
    seats bigint NOT NULL,
    waiting bigint NOT NULL,
    oldest_at bigint NOT NULL,
    seat_limit bigint NOT NULL,
    PRIMARY KEY (slot, process)
  )`,
  "CREATE INDEX slot_seats_wanted ON slot_seats (slot) WHERE waiting > 0",

  // Pauses that hosts have asked for.
  `CREATE TABLE host_pauses (
    host text PRIMARY KEY,
    until_at bigint NOT NULL
  )`,

  `CREATE TABLE sequences (
    name text PRIMARY KEY,
    value bigint NOT NULL
  )`,

  `CREATE TABLE messages (
    sequence bigint PRIMARY KEY,
    topic text NOT NULL,
    text text NOT NULL,
    sender text NOT NULL,
    told_at bigint NOT NULL
  )`,

  // Feedback of teams, once per job.
  `CREATE TABLE feedback (
    id text PRIMARY KEY,
    team_id text NOT NULL,
    key_id text,
    job_id text NOT NULL,
    content text NOT NULL,
    created_at bigint NOT NULL
  )`,
  "CREATE UNIQUE INDEX feedback_of_job ON feedback (team_id, job_id)",
  "CREATE INDEX feedback_by_age ON feedback (created_at)",

  // Requests of provider tools, each run once, and the terms that teams have accepted.
  `CREATE TABLE tool_requests (
    charge_id text PRIMARY KEY,
    team_id text NOT NULL,
    scrape_id text NOT NULL,
    fingerprint text NOT NULL,
    state text NOT NULL,
    attempt integer NOT NULL,
    is_read_only integer NOT NULL,
    quote integer,
    deadline_at bigint NOT NULL,
    created_at bigint NOT NULL,
    response text,
    key_id text,
    calls text NOT NULL DEFAULT '[]',
    owner text
  )`,
  "CREATE INDEX tool_requests_by_age ON tool_requests (created_at)",
  "CREATE INDEX tool_requests_of_team ON tool_requests (team_id)",
  "CREATE INDEX tool_requests_in_order ON tool_requests (scrape_id)",
  "CREATE INDEX tool_requests_running ON tool_requests (owner) WHERE state = 'running'",

  `CREATE TABLE provider_terms (
    team_id text NOT NULL,
    provider text NOT NULL,
    digest text NOT NULL,
    accepted_at bigint NOT NULL,
    PRIMARY KEY (team_id, provider)
  )`,

  // Earlier versions of pages that are tracked for changes.
  `CREATE TABLE page_versions (
    id text PRIMARY KEY,
    team_id text NOT NULL,
    history_key text NOT NULL,
    scraped_at bigint NOT NULL
  )`,
  "CREATE INDEX page_versions_by_history ON page_versions (team_id, history_key, id)",

  // Recipes to reopen scraped pages, and the sessions that reopened them.
  `CREATE TABLE scrape_replays (
    scrape_id text PRIMARY KEY,
    team_id text NOT NULL,
    recipe text,
    ended_at bigint NOT NULL
  )`,
  "CREATE INDEX scrape_replays_by_age ON scrape_replays (ended_at)",
  "CREATE INDEX scrape_replays_of_team ON scrape_replays (team_id)",

  `CREATE TABLE interact_sessions (
    id text PRIMARY KEY,
    scrape_id text UNIQUE,
    team_id text NOT NULL,
    key_id text,
    process text NOT NULL,
    state text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    ended_at bigint,
    expires_at bigint NOT NULL,
    prompted integer NOT NULL,
    streams integer NOT NULL,
    credits integer,
    reason text,
    paid_by text
  )`,
  "CREATE INDEX interact_sessions_of_team ON interact_sessions (team_id, created_at)",
  "CREATE INDEX interact_sessions_by_state ON interact_sessions (state, ended_at)",

  // Browser logins of operators, single-use login links, and keys that expire.
  `CREATE TABLE operator_sessions (
    id text PRIMARY KEY,
    token_hash text NOT NULL UNIQUE,
    address text NOT NULL,
    user_agent text NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    owner_id text
  )`,

  // People who operate the service with keys of their own.
  `CREATE TABLE operator_keys (
    id text PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL,
    key_hash text NOT NULL UNIQUE,
    created_at bigint NOT NULL
  )`,

  `CREATE TABLE login_tokens (
    token_hash text PRIMARY KEY,
    created_at bigint NOT NULL
  )`,

  // Figures of requests by minute, hour and day, and records of single requests for operators.
  `CREATE TABLE figures (
    span text NOT NULL,
    start bigint NOT NULL,
    team_id text NOT NULL,
    key_id text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    pages bigint NOT NULL,
    credits bigint NOT NULL,
    PRIMARY KEY (span, team_id, start, key_id, kind, name)
  )`,

  // Language model tokens used by teams, per day.
  `CREATE TABLE model_tokens (
    team_id text NOT NULL,
    day bigint NOT NULL,
    model text NOT NULL,
    calls bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    PRIMARY KEY (team_id, day, model)
  )`,

  // Jobs are written before they run. A job without an owner waits until it is due.
  `CREATE TABLE jobs (
    sequence bigint PRIMARY KEY,
    kind text NOT NULL,
    job_group text NOT NULL,
    priority integer NOT NULL,
    run_at bigint NOT NULL,
    failures integer NOT NULL,
    deaths integer NOT NULL,
    owner text,
    payload text NOT NULL,
    error text
  )`,
  "CREATE INDEX jobs_waiting ON jobs (kind, priority, run_at, sequence) WHERE owner IS NULL",
  "CREATE INDEX jobs_owned ON jobs (owner) WHERE owner IS NOT NULL",
  "CREATE INDEX jobs_groups ON jobs (job_group)",

  // Batches, crawls and the like: their requests, progress, outcome and receivers.
  `CREATE TABLE job_runs (
    id text PRIMARY KEY,
    team_id text NOT NULL,
    key_id text,
    family text NOT NULL,
    state text NOT NULL,
    options text NOT NULL,
    link_base text NOT NULL,
    created_at bigint NOT NULL,
    ended_at bigint,
    total bigint NOT NULL,
    completed bigint NOT NULL,
    failed bigint NOT NULL,
    credits_used bigint NOT NULL,
    documents bigint NOT NULL,
    handed bigint NOT NULL,
    max_handed bigint NOT NULL,
    max_team_handed bigint NOT NULL,
    has_more integer NOT NULL,
    turn bigint NOT NULL,
    warnings text NOT NULL,
    error text,
    lane text NOT NULL DEFAULT 'service',
    is_purged integer NOT NULL DEFAULT 0,
    document_bytes bigint NOT NULL DEFAULT 0,
    process text
  )`,
  "CREATE INDEX job_runs_of_teams ON job_runs (team_id, created_at)",
  "CREATE INDEX job_runs_ended ON job_runs (ended_at) WHERE ended_at IS NOT NULL",
  "CREATE INDEX job_runs_turns ON job_runs (team_id, lane, turn) WHERE state = 'scraping'",

  `CREATE TABLE job_documents (
    run_id text NOT NULL,
    position bigint NOT NULL,
    scrape_id text NOT NULL,
    size_bytes bigint NOT NULL,
    body text,
    PRIMARY KEY (run_id, position)
  )`,

  `CREATE TABLE job_exports (
    run_id text PRIMARY KEY,
    team_id text NOT NULL,
    family text NOT NULL,
    exported bigint NOT NULL,
    parts bigint NOT NULL,
    has_end integer NOT NULL
  )`,
  "CREATE INDEX job_exports_of_teams ON job_exports (team_id)",

  `CREATE TABLE job_errors (
    run_id text NOT NULL,
    number bigint NOT NULL,
    id text NOT NULL,
    happened_at bigint NOT NULL,
    url text NOT NULL,
    code text,
    message text NOT NULL,
    is_robots integer NOT NULL,
    PRIMARY KEY (run_id, number)
  )`,

  `CREATE TABLE idempotency_keys (
    team_id text NOT NULL,
    idempotency_key text NOT NULL,
    used_at bigint NOT NULL,
    PRIMARY KEY (team_id, idempotency_key)
  )`,
  "CREATE INDEX idempotency_keys_used ON idempotency_keys (used_at)",

  // Webhooks, in the order of each run, with the state of their deliveries.
  `CREATE TABLE webhook_receivers (
    id text PRIMARY KEY,
    team_id text NOT NULL,
    origin text NOT NULL,
    handed bigint NOT NULL,
    failures bigint NOT NULL,
    paused_until bigint NOT NULL,
    last_at bigint,
    last_status integer,
    last_error text
  )`,

  `CREATE TABLE webhook_queues (
    run_id text PRIMARY KEY,
    team_id text NOT NULL,
    receiver_id text NOT NULL,
    family text NOT NULL,
    events text NOT NULL,
    setting text NOT NULL,
    under_way bigint NOT NULL,
    is_barrier_under_way integer NOT NULL,
    may_hand integer NOT NULL,
    turn bigint NOT NULL
  )`,
  "CREATE INDEX webhook_queues_turns ON webhook_queues (receiver_id, turn) WHERE may_hand = 1",

  `CREATE TABLE webhook_events (
    id text PRIMARY KEY,
    run_id text NOT NULL,
    team_id text NOT NULL,
    receiver_id text NOT NULL,
    sequence bigint NOT NULL,
    type text NOT NULL,
    is_success integer NOT NULL,
    is_barrier integer NOT NULL,
    state text NOT NULL,
    attempts integer NOT NULL,
    scrape_id text,
    body text,
    page_url text,
    error text,
    created_at bigint NOT NULL,
    next_at bigint,
    ended_at bigint,
    last_status integer,
    last_error text,
    last_answer text
  )`,
  "CREATE INDEX webhook_events_waiting ON webhook_events (run_id, sequence) WHERE state = 'waiting'",
  "CREATE INDEX webhook_events_of_runs ON webhook_events (run_id, sequence)",
  "CREATE INDEX webhook_events_of_teams ON webhook_events (team_id, created_at)",

  `CREATE TABLE webhook_secrets (
    team_id text PRIMARY KEY,
    secret text NOT NULL,
    created_at bigint NOT NULL
  )`,

  // Owners of runs, remains of old runs, and the pages that batches have yet to create.
  `CREATE TABLE batch_parts (
    id text PRIMARY KEY,
    run_id text NOT NULL,
    team_id text NOT NULL,
    options text NOT NULL,
    pages bigint NOT NULL,
    next_page bigint NOT NULL,
    turn bigint,
    created_at bigint NOT NULL
  )`,
  "CREATE INDEX batch_parts_of_runs ON batch_parts (run_id, turn)",

  `CREATE TABLE batch_pages (
    part_id text NOT NULL,
    number bigint NOT NULL,
    url text NOT NULL,
    PRIMARY KEY (part_id, number)
  )`,

  // Files uploaded ahead of the request that parses them.
  `CREATE TABLE uploads (
    id text PRIMARY KEY,
    team_id text NOT NULL,
    name text NOT NULL,
    content_type text,
    created_at bigint NOT NULL,
    blob_id text,
    size_bytes bigint NOT NULL DEFAULT 0,
    is_parsed integer NOT NULL DEFAULT 0
  )`,
  "CREATE INDEX uploads_of_teams ON uploads (team_id, created_at)",
  "CREATE INDEX uploads_by_age ON uploads (created_at)",
  "CREATE INDEX uploads_by_blob ON uploads (blob_id)",

  // Frontier and known addresses of crawls. There may be millions of addresses, so rows carry a small number
  // for their crawl, and a short hash for the identity of the address.
  `CREATE TABLE crawls (
    run_id text PRIMARY KEY,
    number bigint NOT NULL,
    team_id text NOT NULL,
    site_url text NOT NULL,
    stage text NOT NULL,
    page_limit bigint NOT NULL,
    delay_ms bigint NOT NULL,
    is_by_level integer NOT NULL,
    found bigint NOT NULL,
    refused bigint NOT NULL,
    unlisted bigint NOT NULL
  )`,
  "CREATE UNIQUE INDEX crawls_numbers ON crawls (number)",
  "CREATE INDEX crawls_of_teams ON crawls (team_id)",

  `CREATE TABLE crawl_urls (
    crawl bigint NOT NULL,
    sequence bigint NOT NULL,
    identity text NOT NULL,
    url text NOT NULL,
    depth integer NOT NULL,
    chain integer NOT NULL,
    state integer NOT NULL,
    outcome text,
    detail text,
    PRIMARY KEY (crawl, sequence)
  )`,
  "CREATE UNIQUE INDEX crawl_urls_identities ON crawl_urls (crawl, identity)",
  "CREATE INDEX crawl_urls_open ON crawl_urls (crawl, state, depth, sequence) WHERE state < 2",

  `CREATE TABLE crawl_origins (
    crawl bigint NOT NULL,
    origin text NOT NULL,
    robots text NOT NULL,
    sitemaps text NOT NULL,
    PRIMARY KEY (crawl, origin)
  )`,

  `CREATE TABLE crawl_marks (
    crawl bigint NOT NULL,
    mark text NOT NULL,
    url text,
    PRIMARY KEY (crawl, mark)
  )`,

  // Progress and results of extractions. Their pages wait in the tables of batches.
  `CREATE TABLE extracts (
    run_id text PRIMARY KEY,
    team_id text NOT NULL,
    stage text NOT NULL,
    finds bigint NOT NULL,
    next_find bigint NOT NULL,
    found text NOT NULL,
    result text
  )`,
  "CREATE INDEX extracts_of_teams ON extracts (team_id)",

  // Pages that are checked regularly, the result of each check, and the last content of each page.
  `CREATE TABLE monitors (
    id text PRIMARY KEY,
    team_id text NOT NULL,
    key_id text,
    name text NOT NULL,
    status text NOT NULL,
    cron text NOT NULL,
    timezone text NOT NULL,
    plan text NOT NULL,
    retention_days bigint NOT NULL,
    link_base text NOT NULL,
    next_run_at bigint,
    last_run_at bigint,
    current_check_id text,
    last_summary text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  )`,
  "CREATE INDEX monitors_of_teams ON monitors (team_id, id)",

  `CREATE TABLE monitor_checks (
    id text PRIMARY KEY,
    monitor_id text NOT NULL,
    team_id text NOT NULL,
    status text NOT NULL,
    is_manual integer NOT NULL,
    scheduled_at bigint NOT NULL,
    started_at bigint,
    finished_at bigint,
    estimated_credits bigint,
    reserved_credits bigint,
    extra_credits bigint NOT NULL,
    actual_credits bigint,
    billing text NOT NULL,
    total integer NOT NULL,
    same integer NOT NULL,
    changed integer NOT NULL,
    fresh integer NOT NULL,
    removed integer NOT NULL,
    failed integer NOT NULL,
    next_unit bigint NOT NULL,
    units bigint NOT NULL,
    open_crawls integer NOT NULL,
    stage text NOT NULL,
    targets text NOT NULL,
    notification text,
    warning text,
    error text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  )`,
  "CREATE INDEX monitor_checks_of_monitors ON monitor_checks (monitor_id, id)",
  `CREATE UNIQUE INDEX monitor_checks_times ON monitor_checks (monitor_id, scheduled_at) WHERE is_manual = 0`,
  "CREATE INDEX monitor_checks_under_way ON monitor_checks (team_id) WHERE finished_at IS NULL",

  `CREATE TABLE monitor_pages (
    check_id text NOT NULL,
    number bigint NOT NULL,
    id text NOT NULL,
    target_id text NOT NULL,
    url text NOT NULL,
    status text NOT NULL,
    previous_scrape_id text,
    current_scrape_id text,
    status_code integer,
    error text,
    metadata text,
    judgment text,
    diff text,
    snapshot text,
    created_at bigint NOT NULL,
    PRIMARY KEY (check_id, number)
  )`,

  `CREATE TABLE monitor_states (
    monitor_id text NOT NULL,
    target_id text NOT NULL,
    url_key text NOT NULL,
    url text NOT NULL,
    blob_id text,
    content_hash text,
    scrape_id text,
    missed integer NOT NULL,
    check_id text NOT NULL,
    PRIMARY KEY (monitor_id, target_id, url_key)
  )`,
  "CREATE INDEX monitor_states_blobs ON monitor_states (blob_id) WHERE blob_id IS NOT NULL",

  `CREATE TABLE monitor_steps (
    check_id text NOT NULL,
    number bigint NOT NULL,
    payload text NOT NULL,
    PRIMARY KEY (check_id, number)
  )`,

  `CREATE TABLE monitor_crawls (
    crawl_id text PRIMARY KEY,
    check_id text NOT NULL,
    target integer NOT NULL
  )`,
  "CREATE INDEX monitor_crawls_of_checks ON monitor_crawls (check_id)",

  // Agent runs: their turn in a thread, their steps so far, and their observations.
  `CREATE TABLE agent_runs (
    run_id text PRIMARY KEY,
    team_id text NOT NULL,
    thread_id text NOT NULL,
    turn integer NOT NULL,
    created_at bigint NOT NULL,
    started_at bigint,
    result text
  )`,
  "CREATE UNIQUE INDEX agent_runs_turns ON agent_runs (thread_id, turn)",
  "CREATE INDEX agent_runs_of_teams ON agent_runs (team_id, created_at)",

  `CREATE TABLE agent_steps (
    run_id text NOT NULL,
    number integer NOT NULL,
    action text NOT NULL,
    outcome text NOT NULL,
    note text NOT NULL,
    facts text NOT NULL,
    PRIMARY KEY (run_id, number)
  )`,

  `CREATE TABLE agent_snapshots (
    run_id text NOT NULL,
    id text NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (run_id, id)
  )`,

  // Processes that others can forward requests to, and the owners of runs that exist only in memory.
  `CREATE TABLE nodes (
    tag text PRIMARY KEY,
    process text NOT NULL,
    url text NOT NULL,
    seen_at bigint NOT NULL,
    facts text NOT NULL DEFAULT '',
    proof text NOT NULL DEFAULT ''
  )`,
  "CREATE INDEX nodes_process ON nodes (process)",

  // Operator settings from the dashboard, encrypted. A row without a value marks a withdrawn setting.
  `CREATE TABLE settings (
    name text PRIMARY KEY,
    value text,
    sequence bigint NOT NULL,
    changed_at bigint NOT NULL
  )`,

  // Backups started from the dashboard, in any process.
  `CREATE TABLE backups (
    id text PRIMARY KEY,
    file text NOT NULL,
    with_files smallint NOT NULL,
    started_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    ended_at bigint,
    step text NOT NULL,
    size_bytes bigint,
    problem text
  )`,

  // Requests per site, read by team, format and time, in this order.
  `CREATE TABLE site_figures (
    span text NOT NULL,
    team_id text NOT NULL,
    format text NOT NULL,
    start bigint NOT NULL,
    host text NOT NULL,
    key_id text NOT NULL,
    pages bigint NOT NULL,
    credits bigint NOT NULL,
    PRIMARY KEY (span, team_id, format, start, host, key_id)
  )`,

  // Credits that a process took from a team's account in advance, and usage counters of processes that would
  // otherwise write the same rows. `ledger_accounts.debited` includes allotted credits.
  `CREATE TABLE ledger_allotments (
    team_id text NOT NULL,
    account text NOT NULL,
    owner text NOT NULL,
    credits bigint NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (team_id, account, owner)
  )`,

  `CREATE TABLE usage_parts (
    team_id text NOT NULL,
    key_id text NOT NULL,
    month bigint NOT NULL,
    part integer NOT NULL,
    credits_used bigint NOT NULL,
    requests bigint NOT NULL,
    PRIMARY KEY (team_id, month, key_id, part)
  )`,

  // State shared by several machines. Where each request to the blob store costs, many captures become one
  // blob. The search index is in the database; an embedded database has it in a separate file. The first
  // table lists captures that wait to be packed, so that all processes can read them.
  `CREATE TABLE unpacked_captures (
    capture_id text PRIMARY KEY,
    bytes bytea NOT NULL
  )`,

  `CREATE TABLE capture_packs (
    id text PRIMARY KEY,
    removed integer NOT NULL
  )`,
  "CREATE INDEX capture_packs_to_rewrite ON capture_packs (id) WHERE removed > 0",

  `CREATE TABLE packed_captures (
    capture_id text PRIMARY KEY,
    pack_id text NOT NULL,
    start integer NOT NULL,
    size_bytes integer NOT NULL
  )`,
  "CREATE INDEX packed_captures_by_pack ON packed_captures (pack_id)",

  // Last known health of the parts of the service, and alerts for the operator.
  `CREATE TABLE part_health (
    part text NOT NULL,
    target text NOT NULL,
    last_success_at bigint,
    last_failure_at bigint,
    problem text,
    failures_in_row bigint NOT NULL,
    hour bigint NOT NULL,
    successes bigint NOT NULL,
    failures bigint NOT NULL,
    PRIMARY KEY (part, target)
  )`,

  `CREATE TABLE alerts (
    cause text PRIMARY KEY,
    detail text NOT NULL,
    began_at bigint NOT NULL,
    seen_at bigint NOT NULL
  )`,

  // Addresses that want messages about a team's monitors.
  `CREATE TABLE mail_subscriptions (
    token text PRIMARY KEY,
    team_id text NOT NULL,
    address_hash text NOT NULL,
    status text NOT NULL,
    asked_at bigint,
    changed_at bigint NOT NULL,
    UNIQUE (team_id, address_hash)
  )`,

  "INSERT INTO sequences (name, value) VALUES ('audit', 0)",
];

/** Search tables where the database has text search. An embedded database has a separate file instead. */
const ofTextSearch = [
  `CREATE TABLE indexed_teams (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    team_id text NOT NULL UNIQUE
  )`,
  `CREATE TABLE indexed_pages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    team_id text NOT NULL,
    url_hash text NOT NULL,
    content_hash text NOT NULL,
    url text NOT NULL,
    scrape_id text NOT NULL,
    capture_id text NOT NULL,
    title text NOT NULL,
    description text NOT NULL,
    markdown text NOT NULL,
    words tsvector NOT NULL,
    UNIQUE (team_id, url_hash)
  )`,
  // Ranking reads the words of many pages: decompressing them would take longer than comparing them.
  "ALTER TABLE indexed_pages ALTER COLUMN words SET STORAGE EXTERNAL",
  "CREATE INDEX indexed_pages_words ON indexed_pages USING gin (words)",
];

/** Builds before 0.1.0 wrote lower versions, which are refused. */
export const FIRST_VERSION = 100;

/** Every migration, oldest first. A released one is never edited. */
export const migrations: readonly Migration[] = [
  { version: FIRST_VERSION, name: "0.1.0", statements, ofTextSearch },
];
