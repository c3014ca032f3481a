import {
  BrowserSessionAnswer,
  BrowserSessionsAnswer,
  SessionEndedAnswer,
  SessionRunAnswer,
  SessionRunRequest,
  SessionViewAnswer,
  SessionViewRequest,
} from "../../contract/operator/browser-sessions.ts";
import { OverviewAnswer, SetupAnswer } from "../../contract/operator/overview.ts";
import { CompareAnswer } from "../../contract/operator/compare.ts";
import { ReplayAnswer, ReplayRequest, RequestAnswer } from "../../contract/operator/requests.ts";
import { SettingsAnswer, TestAnswer } from "../../contract/operator/settings.ts";
import {
  CacheAnswer,
  CacheCompareAnswer,
  CacheSizeAnswer,
  OperatorProfilesAnswer,
  PurgeAnswer,
  PurgeRequest,
} from "../../contract/operator/storage.ts";
import { UsageAnswer } from "../../contract/operator/usage.ts";
import {
  LogInRequest,
  LoginsAnswer,
  PlaygroundKeyAnswer,
  PlaygroundKeyRequest,
  SessionAnswer,
} from "../../contract/operator/session.ts";

/** What the operator's pages send, by the names under which operations refer to it. */
export const dashboardRequests = {
  LogInRequest,
  PlaygroundKeyRequest,
  ReplayRequest,
  PurgeRequest,
  SessionViewRequest,
  SessionRunRequest,
};

/** What they are told. */
export const dashboardAnswers = {
  OperatorLogin: SessionAnswer,
  Logins: LoginsAnswer,
  PlaygroundKey: PlaygroundKeyAnswer,
  Overview: OverviewAnswer,
  RequestDetail: RequestAnswer,
  Replay: ReplayAnswer,
  Compare: CompareAnswer,
  Usage: UsageAnswer,
  OperatorProfiles: OperatorProfilesAnswer,
  CacheVersions: CacheAnswer,
  CacheSize: CacheSizeAnswer,
  CacheCompare: CacheCompareAnswer,
  Purged: PurgeAnswer,
  Settings: SettingsAnswer,
  Tested: TestAnswer,
  Setup: SetupAnswer,
  OperatorSession: BrowserSessionAnswer,
  OperatorSessions: BrowserSessionsAnswer,
  SessionView: SessionViewAnswer,
  SessionRun: SessionRunAnswer,
  SessionEnded: SessionEndedAnswer,
};
