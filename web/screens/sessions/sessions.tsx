import { Page, Panel } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";
import { Logins } from "../settings/logins.tsx";
import { seconds } from "../../client/live.ts";
import { count } from "../../format/numbers.ts";

/** Browsers that stay open between calls, and who watches. */
export function Sessions() {
  const now = seconds.value.at(-1);
  return (
    <Page title="Sessions" beside={<span class="faint">{`${count(now?.sessions ?? 0)} live`}</span>}>
      <Panel title="Browser sessions">
        <Empty title="No session is live">
          A session begins when a program interacts with a page that it scraped, and ends by itself.
        </Empty>
      </Panel>
      <div class="above">
        <Logins />
      </div>
    </Page>
  );
}
