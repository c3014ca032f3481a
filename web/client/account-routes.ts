/** Teams and keys as the operator's routes tell them; their shapes stand in the OpenAPI document. */
export interface TeamEntry {
  readonly teamId: string;
  readonly name: string;
  readonly flags: Readonly<Record<string, boolean | string>>;
  readonly limits: Readonly<Record<string, number | null>>;
  readonly isLimited: boolean;
  readonly allowance: { readonly credits: number; readonly period: "day" | "month" } | null;
  readonly threatPolicy: Readonly<Record<string, unknown>> & { readonly mode: string };
  readonly remainingCredits: number | null;
  readonly creditsUsedThisMonth: number;
  readonly createdAt: string;
  /** Sent back as `If-Match`, where the service tells it. */
  readonly version?: string;
}

export interface KeyEntry {
  readonly keyId: string;
  readonly teamId: string;
  readonly name: string;
  readonly restrictions: Readonly<Record<string, unknown>>;
  readonly ending: string | null;
  readonly creditsUsedThisMonth: number;
  readonly oldTextUntil: string | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  readonly version?: string;
}

export interface LedgerEntry {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly balance: number;
  readonly keyId: string | null;
  readonly createdAt: string;
}

interface Page<Entry> {
  readonly success: true;
  readonly data: readonly Entry[];
  readonly cursor: string | null;
}

interface Done {
  readonly success: true;
}

interface ListQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Routes of teams and keys, by `METHOD path`. */
export interface AccountRoutes {
  "GET /admin/api/teams": { query: ListQuery; answer: Page<TeamEntry> };
  "POST /admin/api/teams": {
    body: { readonly name: string; readonly credits?: number };
    answer: Done & { readonly teamId: string; readonly keyId: string; readonly apiKey: string };
  };
  "PATCH /admin/api/teams/{id}": {
    body: Readonly<Record<string, unknown>>;
    answer: Done & { readonly data: TeamEntry };
  };
  "DELETE /admin/api/teams/{id}": { answer: Done };
  "POST /admin/api/teams/{id}/credits": {
    body: { readonly add: number };
    answer: Done & { readonly remainingCredits: number };
  };
  "GET /admin/api/teams/{id}/ledger": { query: ListQuery; answer: Page<LedgerEntry> };
  "GET /admin/api/teams/{id}/keys": { query: ListQuery; answer: Page<KeyEntry> };
  "POST /admin/api/teams/{id}/keys": {
    body: { readonly name?: string; readonly restrictions?: Readonly<Record<string, unknown>> };
    answer: Done & { readonly keyId: string; readonly apiKey: string };
  };
  "GET /admin/api/keys": { query: ListQuery; answer: Page<KeyEntry> };
  "POST /admin/api/keys/{id}/rotate": {
    body: { readonly graceHours: number };
    answer: Done & { readonly apiKey: string; readonly oldTextUntil: string };
  };
  "PATCH /admin/api/keys/{id}": { body: Readonly<Record<string, unknown>>; answer: Done };
  "DELETE /admin/api/keys/{id}": { answer: Done };
}
