import type { z } from "zod";

import type {
  BrowserSessionAnswer,
  BrowserSessionQuery,
  BrowserSessionsAnswer,
  SessionEndedAnswer,
  SessionRunAnswer,
  SessionRunRequest,
  SessionViewAnswer,
  SessionViewRequest,
} from "./browser-sessions.ts";
import type { CompareAnswer, CompareQuery } from "./compare.ts";
import type { OverviewAnswer, OverviewQuery, SetupAnswer, SetupQuery } from "./overview.ts";
import type { ReplayAnswer, ReplayRequest, RequestAnswer, RequestQuery, RequestsAnswer } from "./requests.ts";
import type {
  LogInRequest,
  LoginsAnswer,
  PlaygroundKeyAnswer,
  PlaygroundKeyRequest,
  SessionAnswer,
} from "./session.ts";
import type { SettingsAnswer, TestAnswer } from "./settings.ts";
import type {
  CacheAnswer,
  CacheCompareAnswer,
  CacheQuery,
  CacheSizeAnswer,
  OperatorProfilesAnswer,
  ProfileQuery,
  PurgeAnswer,
  PurgeRequest,
} from "./storage.ts";
import type {
  CheckProviderAnswer,
  OperatorTermsRequest,
  ProviderEntryRequest,
  ProvidersAnswer,
  ProvidersQuery,
  ToolRequestQuery,
  ToolRequestsAnswer,
  ToolResolution,
  ToolResolvedAnswer,
  TryToolAnswer,
  TryToolRequest,
} from "./tools.ts";
import type { UsageAnswer, UsageQuery } from "./usage.ts";

interface Done {
  readonly success: true;
}

/**
 * What the dashboard asks the service, by `METHOD path`, for a typed client. Teams and keys, whose shapes name what
 * accounts are made of, are described with the other operations of the OpenAPI document.
 *
 * Beside these, not as JSON: `GET /admin/api/events` (`OperatorEvent`), `GET /admin/api/requests.jsonl`,
 * `GET /admin/api/usage.csv`, `GET /admin/api/requests/{id}/answer` (as `GET /v2/scrape/{id}`),
 * `GET /admin/api/requests/{id}/pages/{n}.png`, `GET /admin/api/sessions/{id}/picture.jpg`, `GET /admin/preview/{id}` (HTML for `<iframe sandbox="">`).
 */
export interface OperatorRoutes extends ToolRoutes {
  "POST /admin/session": { body: z.input<typeof LogInRequest>; answer: SessionAnswer };
  "GET /admin/session": { answer: SessionAnswer };
  "DELETE /admin/session": { answer: Done };
  "GET /admin/api/logins": { answer: LoginsAnswer };
  "DELETE /admin/api/logins/{id}": { answer: Done };
  "POST /admin/api/playground-key": {
    body: z.input<typeof PlaygroundKeyRequest>;
    answer: PlaygroundKeyAnswer;
  };
  "GET /admin/api/overview": { query: z.input<typeof OverviewQuery>; answer: OverviewAnswer };
  "GET /admin/api/setup": { query: z.input<typeof SetupQuery>; answer: SetupAnswer };
  "GET /admin/api/requests": { query: z.input<typeof RequestQuery>; answer: RequestsAnswer };
  "GET /admin/api/requests/{id}": { answer: RequestAnswer };
  "POST /admin/api/requests/{id}/replay": { body: z.input<typeof ReplayRequest>; answer: ReplayAnswer };
  "GET /admin/api/compare": { query: z.input<typeof CompareQuery>; answer: CompareAnswer };
  "GET /admin/api/usage": { query: z.input<typeof UsageQuery>; answer: UsageAnswer };
  "GET /admin/api/profiles": { query: z.input<typeof ProfileQuery>; answer: OperatorProfilesAnswer };
  "DELETE /admin/api/teams/{id}/profiles/{name}": { answer: Done };
  "GET /admin/api/cache": { query: z.input<typeof CacheQuery>; answer: CacheAnswer };
  "GET /admin/api/cache/size": { answer: CacheSizeAnswer };
  "GET /admin/api/cache/compare": { query: z.input<typeof CompareQuery>; answer: CacheCompareAnswer };
  "POST /admin/api/cache/purge": { body: z.input<typeof PurgeRequest>; answer: PurgeAnswer };
  "DELETE /admin/api/cache/{id}": { answer: Done };
  "GET /admin/api/sessions": { query: z.input<typeof BrowserSessionQuery>; answer: BrowserSessionsAnswer };
  "GET /admin/api/sessions/{id}": { answer: BrowserSessionAnswer };
  "POST /admin/api/sessions/{id}/view": {
    body: z.input<typeof SessionViewRequest>;
    answer: SessionViewAnswer;
  };
  "POST /admin/api/sessions/{id}/run": { body: z.input<typeof SessionRunRequest>; answer: SessionRunAnswer };
  "DELETE /admin/api/sessions/{id}": { answer: SessionEndedAnswer };
  "GET /admin/api/settings": { answer: SettingsAnswer };
  "POST /admin/api/test/{part}": { answer: TestAnswer };
}

/** Providers of tools, and requests of their tools: asked by scripts, too, and there without the dashboard. */
export interface ToolRoutes {
  "GET /admin/api/providers": { query: z.input<typeof ProvidersQuery>; answer: ProvidersAnswer };
  "POST /admin/api/providers/check": {
    body: z.input<typeof ProviderEntryRequest>;
    answer: CheckProviderAnswer;
  };
  "PUT /admin/api/providers/{id}": { body: z.input<typeof ProviderEntryRequest>; answer: Done };
  "DELETE /admin/api/providers/{id}": { answer: Done };
  "POST /admin/api/providers/{id}/terms": { body: z.input<typeof OperatorTermsRequest>; answer: Done };
  "POST /admin/api/providers/{id}/try": { body: z.input<typeof TryToolRequest>; answer: TryToolAnswer };
  "GET /admin/api/tool-requests": { query: z.input<typeof ToolRequestQuery>; answer: ToolRequestsAnswer };
  "POST /admin/api/tool-requests/{id}/resolve": {
    body: z.input<typeof ToolResolution>;
    answer: ToolResolvedAnswer;
  };
}
