import { useState } from "preact/hooks";

import type { ProvidersAnswer } from "../../../src/contract/operator/tools.ts";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { Badge } from "../../parts/badge.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { AddProviderDialog } from "./add-provider-dialog.tsx";
import { RemoveProviderDialog } from "./remove-provider-dialog.tsx";
import { TermsDialog } from "./terms-dialog.tsx";
import { ToolCalls } from "./tool-calls.tsx";
import { ToolTable } from "./tool-table.tsx";

type Provider = ProvidersAnswer["data"]["providers"][number];

/** Providers of data and what can be called of them. */
export function Tools() {
  const loaded = useLoad((signal) => ask("GET /admin/api/providers", { signal }), []);
  const [isAdding, setAdding] = useState(false);
  const { isOnByDefault, file } = loaded.data?.data ?? {};
  return (
    <Page
      title="Tools"
      beside={
        isOnByDefault !== undefined &&
        (isOnByDefault ? <Badge tone="ok">on for all teams</Badge> : <AllowedTeams />)
      }
      acts={
        <button type="button" class="btn primary" onClick={() => setAdding(true)}>
          Add provider
        </button>
      }
    >
      <WithData loaded={loaded}>
        {({ data: { providers } }) =>
          providers.length === 0 ? (
            <Panel label="Providers">
              <Empty title="No providers">Add an MCP server, an OpenAPI document or an HTTP request.</Empty>
            </Panel>
          ) : (
            <div class="stack wide">
              {providers.map((provider) => (
                <ProviderPanel
                  key={provider.id}
                  provider={provider}
                  version={file?.version}
                  onChanged={loaded.reload}
                />
              ))}
            </div>
          )
        }
      </WithData>
      <div class="above">
        <ToolCalls />
      </div>
      {isAdding && (
        <AddProviderDialog file={file ?? null} onAdded={loaded.reload} onClose={() => setAdding(false)} />
      )}
    </Page>
  );
}

/** How many teams can use them, where each has to be allowed to. */
function AllowedTeams() {
  const teams = useLoad((signal) => ask("GET /admin/api/teams", { query: { limit: 1000 }, signal }), []);
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
  /** Of the file that may contain it. */
  readonly version: string | undefined;
  readonly onChanged: () => void;
}

function ProviderPanel({ provider, version, onChanged }: ProviderPanelProps) {
  const [open, setOpen] = useState<"terms" | "removal" | undefined>(undefined);
  const { name, description, domains, attribution, ratePerSecond, tools } = provider;
  const facts = [
    plural(tools.length, "tool"),
    domains.length > 0 && domains.slice(0, 3).join(", "),
    ratePerSecond !== null && `${ratePerSecond} per second`,
    attribution,
  ].filter(Boolean);
  return (
    <Panel title={plainly(name)} beside={<ProviderActs provider={provider} onOpen={setOpen} />}>
      <div class="body stack">
        <p class="wrap foreign clamped">{plainly(description)}</p>
        <p class="faint wrap foreign">{plainly(facts.join(" · "))}</p>
        <ProviderTrouble provider={provider} />
      </div>
      <ToolTable provider={provider} />
      {open === "terms" && (
        <TermsDialog provider={provider} onAccepted={onChanged} onClose={() => setOpen(undefined)} />
      )}
      {open === "removal" && (
        <RemoveProviderDialog
          provider={provider}
          version={version}
          onRemoved={onChanged}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Panel>
  );
}

interface ProviderActsProps {
  readonly provider: Provider;
  readonly onOpen: (what: "terms" | "removal") => void;
}

function ProviderActs({ provider: { name, status, terms, isOwn }, onOpen }: ProviderActsProps) {
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
          <button type="button" class="btn small" onClick={() => onOpen("terms")}>
            Read terms
          </button>
        </>
      )}
      {isOwn && (
        <button
          type="button"
          class="btn small"
          aria-label={`Remove ${name}`}
          onClick={() => onOpen("removal")}
        >
          Remove
        </button>
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
