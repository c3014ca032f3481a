import { OverviewAnswer, SetupAnswer } from "../../contract/operator/overview.ts";
import { CompareAnswer } from "../../contract/operator/compare.ts";
import { ReplayAnswer, ReplayRequest, RequestAnswer } from "../../contract/operator/requests.ts";
import {
  LogInRequest,
  LoginsAnswer,
  PlaygroundKeyAnswer,
  PlaygroundKeyRequest,
  SessionAnswer,
} from "../../contract/operator/session.ts";

/** What the operator's pages send, by the names under which operations refer to it. */
export const dashboardRequests = { LogInRequest, PlaygroundKeyRequest, ReplayRequest };

/** What they are told. */
export const dashboardAnswers = {
  Session: SessionAnswer,
  Logins: LoginsAnswer,
  PlaygroundKey: PlaygroundKeyAnswer,
  Overview: OverviewAnswer,
  RequestDetail: RequestAnswer,
  Replay: ReplayAnswer,
  Compare: CompareAnswer,
  Setup: SetupAnswer,
};
