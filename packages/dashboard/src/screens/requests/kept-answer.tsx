import type { RequestAnswer } from "@pergamon-dev/server/history/operator/show-request";
import { AnswerTabs } from "../../answers/answer-tabs.tsx";
import type { ScrapedDocument } from "../../answers/document.ts";
import { ForeignLink } from "../../answers/foreign-link.tsx";
import { Source } from "../../answers/source.tsx";
import { ServiceProblem } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { Empty, WithData } from "../../parts/states.tsx";

type Detail = RequestAnswer["data"];

/** The response of a request, as long as it is stored. */
export function KeptAnswer({ detail: { hasAnswer, request } }: { readonly detail: Detail }) {
  if (hasAnswer && hasPage(request)) return <Fetched request={request} />;
  if (hasAnswer) return <FetchedWork id={request.id} />;
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

/** Maps, searches and tools have no page. */
function hasPage({ kind, url }: Detail["request"]): boolean {
  return kind !== "map" && kind !== "tool" && !(kind === "search" && url.startsWith("search:"));
}

interface Hit {
  readonly url: string;
  readonly title?: string;
  readonly description?: string;
}

/** What was found, and everything that was answered. */
function FetchedWork({ id }: { readonly id: string }) {
  const loaded = useLoad(`answer ${id}`, (signal) => fetchAnswer(id, signal), { everyMs: "fixed" });
  return (
    <WithData loaded={loaded}>
      {(answer) => (
        <>
          {["links", "web", "news"].map((name) => (
            <Hits key={name} hits={answer[name] as readonly Hit[] | undefined} />
          ))}
          <details class="more">
            <summary>Whole response</summary>
            <Source text={JSON.stringify(answer, null, 2)} label="answer" />
          </details>
        </>
      )}
    </WithData>
  );
}

function Hits({ hits }: { readonly hits: readonly Hit[] | undefined }) {
  if (hits === undefined) return null;
  return (
    <ol class="addresses">
      {hits.map(({ url, title, description }, index) => (
        <li key={index}>
          {title !== undefined && <b class="foreign">{plainly(title)} </b>}
          <ForeignLink url={url} />
          {description !== undefined && <p class="faint foreign">{plainly(description)}</p>}
        </li>
      ))}
    </ol>
  );
}

async function fetchAnswer(id: string, signal: AbortSignal): Promise<ScrapedDocument> {
  const response = await fetch(`/admin/api/requests/${encodeURIComponent(id)}/answer`, { signal });
  const body = (await response.json()) as Readonly<Record<string, unknown>>;
  if (!response.ok) throw new ServiceProblem(response.status, body);
  // Tools answer as they did to their caller.
  return (body["data"] ?? body) as ScrapedDocument;
}
