import { useState } from "preact/hooks";

import type { ToolsAnswer } from "../../../src/contract/operator/tools.ts";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plural } from "../../format/numbers.ts";
import { Badge } from "../../parts/badge.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { AddProviderDialog } from "./add-provider-dialog.tsx";
import { TermsDialog } from "./terms-dialog.tsx";

type Provider = ToolsAnswer["data"]["providers"][number];

/** Providers of data and what can be called of them. */
export function Tools() {
  const loaded = useLoad((signal) => ask("GET /admin/api/tools", { signal }), []);
  const [isAdding, setAdding] = useState(false);
  const { isOnByDefault, file } = loaded.data?.data ?? {};
  return (
    <Page
      title="Tools"
      beside={
        isOnByDefault !== undefined && (
          <Badge tone={isOnByDefault ? "ok" : "info"}>
            {isOnByDefault ? "on for every team" : "off until a team is let in"}
          </Badge>
        )
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
              <Empty title="No provider is known">
                Describe one with Add provider, put it into the file that PROVIDERS_FILE names, and restart.
              </Empty>
            </Panel>
          ) : (
            <div class="stack wide">
              {providers.map((provider) => (
                <ProviderPanel key={provider.id} provider={provider} onChanged={loaded.reload} />
              ))}
            </div>
          )
        }
      </WithData>
      {isAdding && <AddProviderDialog file={file ?? null} onClose={() => setAdding(false)} />}
    </Page>
  );
}

interface ProviderPanelProps {
  readonly provider: Provider;
  readonly onChanged: () => void;
}

function ProviderPanel({ provider, onChanged }: ProviderPanelProps) {
  const [isReading, setReading] = useState(false);
  const { name, description, domains, attribution, ratePerSecond, terms, tools } = provider;
  const facts = [
    plural(tools.length, "tool"),
    domains.length > 0 && domains.slice(0, 3).join(", "),
    ratePerSecond !== null && `${ratePerSecond} a second`,
    attribution,
  ].filter(Boolean);
  return (
    <Panel title={name} beside={terms && <TermsState provider={provider} onRead={() => setReading(true)} />}>
      <div class="body stack">
        <p class="wrap foreign">{description}</p>
        <p class="faint wrap foreign">{facts.join(" · ")}</p>
      </div>
      <ToolTable provider={provider} />
      {isReading && (
        <TermsDialog provider={provider} onAccepted={onChanged} onClose={() => setReading(false)} />
      )}
    </Panel>
  );
}

function TermsState({
  provider: { terms },
  onRead,
}: {
  readonly provider: Provider;
  readonly onRead: () => void;
}) {
  const accepted = terms?.acceptedBy.length ?? 0;
  return (
    <>
      <Badge tone={accepted > 0 ? "ok" : "warn"}>
        {accepted > 0 ? `terms accepted by ${plural(accepted, "team")}` : "terms not accepted"}
      </Badge>
      <button type="button" class="btn small" onClick={onRead}>
        Read terms
      </button>
    </>
  );
}

function ToolTable({ provider }: { readonly provider: Provider }) {
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>Tool</th>
            <th class="wide-only">Kind</th>
            <th class="num">Credits</th>
            <th>
              <span class="unseen">Acts</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {provider.tools.map(({ id, name, description, creditsCost, perRecord, readOnly }) => (
            <tr key={id}>
              <td class="fills">
                <span class="foreign">{name}</span>
                <span class="faint foreign" title={description}>
                  {description}
                </span>
              </td>
              <td class="wide-only">
                {readOnly ? <span class="badge">only reads</span> : <Badge tone="warn">changes things</Badge>}
              </td>
              <td class="num">{`${creditsCost}${perRecord ? " a record" : ""}`}</td>
              <td class="num">
                <a
                  class="btn small"
                  aria-label={`Try ${name}`}
                  href={`/dashboard/playground?tool=${encodeURIComponent(`${provider.id}/${id}`)}`}
                >
                  Try
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
