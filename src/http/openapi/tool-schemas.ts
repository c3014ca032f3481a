import {
  CheckProviderAnswer,
  OperatorTermsRequest,
  ProviderEntryRequest,
  ProvidersAnswer,
  ToolRequestsAnswer,
  ToolResolution,
  ToolResolvedAnswer,
  TryToolAnswer,
  TryToolRequest,
} from "../../contract/operator/tools.ts";

/** What the operator sends about provider tools, by the names under which operations refer to it. */
export const toolRequests = { OperatorTermsRequest, ProviderEntryRequest, ToolResolution, TryToolRequest };

/** What is told then. */
export const toolAnswers = {
  Providers: ProvidersAnswer,
  CheckedProvider: CheckProviderAnswer,
  TriedTool: TryToolAnswer,
  ToolRequests: ToolRequestsAnswer,
  ToolResolved: ToolResolvedAnswer,
};
