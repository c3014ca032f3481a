import type { RequestAnswer } from "@pergamon-dev/server/history/operator/show-request";
import { AnswerTabs } from "../../answers/answer-tabs.tsx";
import type { ScrapedDocument } from "../../answers/document.ts";
import { ServiceProblem } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { Empty, WithData } from "../../parts/states.tsx";

type Detail = RequestAnswer["data"];

/** The response of a request, as long as it is stored. */
export function KeptAnswer({ detail: { hasAnswer, request } }: { readonly detail: Detail }) {
  if (hasAnswer) return <Fetched request={request} />;
  return (
    <Empty title={request.status === "failed" ? "No response" : "The response has expired"}>
      {request.status === "failed"
        ? "The request failed without a response."
        : "Responses are stored for one day. Replay the request to get a new one."}
    </Empty>
  );
}

function Fetched({ request: { id, formats } }: { readonly request: Detail["request"] }) {
  const loaded = useLoad(`answer ${id}`, (signal) => fetchAnswer(id, signal), { everyMs: "fixed" });
  return (
    <WithData loaded={loaded}>{(document) => <AnswerTabs document={document} formats={formats} />}</WithData>
  );
}

async function fetchAnswer(id: string, signal: AbortSignal): Promise<ScrapedDocument> {
  const response = await fetch(`/admin/api/requests/${encodeURIComponent(id)}/answer`, { signal });
  const body = (await response.json()) as Readonly<Record<string, unknown>>;
  if (!response.ok) throw new ServiceProblem(response.status, body);
  return body["data"] as ScrapedDocument;
}
