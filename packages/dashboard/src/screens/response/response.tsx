import { useLocation } from "preact-iso";

import { KeptAnswer } from "../requests/kept-answer.tsx";
import { useAnswer } from "../../client/load.ts";
import { plural } from "../../format/numbers.ts";
import { duration, exactly } from "../../format/times.ts";
import { Page, Panel } from "../../parts/page.tsx";
import { ResultBadge, shortUrl } from "../../parts/request-marks.tsx";
import { Empty, WithData } from "../../parts/states.tsx";

/** The response of one request on a page of its own: as wide as the window, and to be sent by its address. */
export function Response() {
  const { id } = useLocation().query;
  if (id === undefined)
    return (
      <Page title="Response">
        <Empty title="No request">Open a request, then its response on a separate page.</Empty>
      </Page>
    );
  return <ResponseOf key={id} id={id} />;
}

function ResponseOf({ id }: { readonly id: string }) {
  const loaded = useAnswer("GET /admin/api/requests/{id}", { params: { id } }, { everyMs: "fixed" });
  const request = loaded.data?.data.request;
  return (
    <Page
      title="Response"
      beside={request && <ResultBadge request={request} />}
      acts={
        <a class="btn" href={`/dashboard/requests?id=${encodeURIComponent(id)}`}>
          Request
        </a>
      }
    >
      <WithData loaded={loaded} lines={8}>
        {({ data }) => (
          <Panel label="Response" class="large">
            <div class="row between wrapping more">
              <span class="mono wrap foreign">{shortUrl(data.request.url)}</span>
              <span class="faint">
                {`${exactly(data.request.createdAt)} · ${duration(data.request.durationMs)} · ${plural(data.request.creditsUsed, "credit")}`}
              </span>
            </div>
            <KeptAnswer detail={data} />
          </Panel>
        )}
      </WithData>
    </Page>
  );
}
