import { useState } from "preact/hooks";

import type { ProvidersAnswer } from "@pergamon-dev/server/tools/operator/show-provider";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { Badge } from "../../parts/badge.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { TermsDialog } from "./terms-dialog.tsx";
import { ToolCalls } from "./tool-calls.tsx";
import { ToolTable } from "./tool-table.tsx";

type Provider = ProvidersAnswer["data"]["providers"][number];

/** Providers of data and what can be called of them. */
export function Tools() {
  const loaded = useAnswer("GET /admin/api/providers");
  const isOnByDefault = loaded.data?.data.isOnByDefault;
  return (
    <Page
      title="Tools"
      beside={
        isOnByDefault !== undefined &&
        (isOnByDefault ? <Badge tone="ok">on for all teams</Badge> : <AllowedTeams />)
      }
    >
      <WithData loaded={loaded}>
        {({ data: { providers, file } }) => (
          <div class="stack wide">
            {providers.map((provider) => (
              <ProviderPanel key={provider.id} provider={provider} onChanged={loaded.reload} />
            ))}
            <p class="help wrap">
              {file === null
                ? "Add MCP servers, OpenAPI documents and HTTP requests of your own in a JSON file that PROVIDERS_FILE names."
                : `Your own providers are those of ${file}. The service reads it again after each change.`}
            </p>
          </div>
        )}
      </WithData>
      <div class="above">
        <ToolCalls />
      </div>
    </Page>
  );
}

/** How many teams can use them, where each has to be allowed to. */
function AllowedTeams() {
  const teams = useAnswer("GET /admin/api/teams", { query: { limit: 1000 } });
  if (!teams.data) return null;
  const allowed = teams.data.data.filter(({ flags }) => flags.providerTools === true).length;
  return (
    <a class="link" href="/dashboard/teams">
      <Badge tone={allowed === 0 ? "info" : "ok"}>
        {allowed === 0 ? "off for all teams" : `on for ${plural(allowed, "team")}`}
      </Badge>
    </a>
  );
}

interface ProviderPanelProps {
  readonly provider: Provider;
  readonly onChanged: () => void;
}

function ProviderPanel({ provider, onChanged }: ProviderPanelProps) {
  const [areTermsOpen, setTermsOpen] = useState(false);
  const { name, description, isOwn, domains, attribution, ratePerSecond, tools } = provider;
  const facts = [
    isOwn && "from PROVIDERS_FILE",
    plural(tools.length, "tool"),
    domains.length > 0 && domains.slice(0, 3).join(", "),
    ratePerSecond !== null && `${ratePerSecond} per second`,
    attribution,
  ].filter(Boolean);
  return (
    <Panel
      title={plainly(name)}
      beside={<ProviderActs provider={provider} onReadTerms={() => setTermsOpen(true)} />}
    >
      <div class="body stack">
        <p class="wrap foreign clamped">{plainly(description)}</p>
        <p class="faint wrap foreign">{plainly(facts.join(" · "))}</p>
        <ProviderTrouble provider={provider} />
      </div>
      <ToolTable provider={provider} />
      {areTermsOpen && (
        <TermsDialog provider={provider} onAccepted={onChanged} onClose={() => setTermsOpen(false)} />
      )}
    </Panel>
  );
}

interface ProviderActsProps {
  readonly provider: Provider;
  readonly onReadTerms: () => void;
}

function ProviderActs({ provider: { status, terms }, onReadTerms }: ProviderActsProps) {
  const accepted = terms?.acceptedBy.length ?? 0;
  return (
    <>
      {status === "unreachable" && <Badge tone="bad">unreachable</Badge>}
      {status === "unknown" && <Badge tone="info">not checked yet</Badge>}
      {terms && (
        <>
          <Badge tone={accepted > 0 ? "ok" : "warn"}>
            {accepted > 0 ? `terms accepted by ${plural(accepted, "team")}` : "terms not accepted"}
          </Badge>
          <button type="button" class="btn small" onClick={onReadTerms}>
            Read terms
          </button>
        </>
      )}
    </>
  );
}

/** Why it cannot be reached, and what of it cannot be called. */
function ProviderTrouble({ provider: { reason, leftOut } }: { readonly provider: Provider }) {
  if (reason === null && leftOut.length === 0) return null;
  return (
    <>
      {reason !== null && <p class="problem wrap foreign">{plainly(reason)}</p>}
      {leftOut.length > 0 && (
        <details>
          <summary>{`${plural(leftOut.length, "tool")} left out`}</summary>
          {leftOut.map((line) => (
            <p class="faint wrap foreign" key={line}>
              {plainly(line)}
            </p>
          ))}
        </details>
      )}
    </>
  );
}
