import { useState } from "preact/hooks";

import type { SettingsAnswer } from "../../../src/contract/operator/settings.ts";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { Words } from "../../parts/words.tsx";
import { SetUp, useSetUp } from "../overview/set-up.tsx";
import { Logins } from "./logins.tsx";
import { PartTests } from "./part-tests.tsx";

type Setting = SettingsAnswer["data"]["settings"][number];

const ORIGINS = { default: "default", file: ".env file", environment: "environment" } as const;

/** Every setting with its value and where that comes from, and tests of the parts. */
export function Settings() {
  const loaded = useLoad((signal) => ask("GET /admin/api/settings", { signal }), []);
  const [search, setSearch] = useState("");
  const [isSetOnly, setSetOnly] = useState(false);
  return (
    <Page title="Settings" beside={<span class="faint">read at the start; changes require a restart</span>}>
      <div class="filters" role="search">
        <input
          class="field"
          type="search"
          aria-label="Find a setting"
          placeholder="Find a setting"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <button type="button" class="chip" aria-pressed={isSetOnly} onClick={() => setSetOnly(!isSetOnly)}>
          Only configured settings
        </button>
      </div>
      <div class="cols">
        <div class="stack wide">
          <WithData loaded={loaded} lines={12}>
            {({ data }) => (
              <Parts settings={data.settings.filter((setting) => fits(setting, search, isSetOnly))} />
            )}
          </WithData>
        </div>
        <div class="stack wide">
          <PartTests />
          <SetUp loaded={useSetUp()} />
        </div>
      </div>
      <div class="above">
        <Logins />
      </div>
    </Page>
  );
}

function fits({ name, help, isSet }: Setting, search: string, isSetOnly: boolean): boolean {
  return (isSet || !isSetOnly) && `${name} ${help}`.toLowerCase().includes(search.trim().toLowerCase());
}

function Parts({ settings }: { readonly settings: readonly Setting[] }) {
  const parts = [...new Set(settings.map(({ part }) => part))];
  if (parts.length === 0) {
    return (
      <Panel label="Settings">
        <Empty title="No matching settings">Clear the search field to see all settings.</Empty>
      </Panel>
    );
  }
  return (
    <>
      {parts.map((part) => (
        <Panel key={part} title={part}>
          <ul class="settings">
            {settings
              .filter((setting) => setting.part === part)
              .map((setting) => (
                <Line key={setting.name} setting={setting} />
              ))}
          </ul>
        </Panel>
      ))}
    </>
  );
}

function Line({ setting }: { readonly setting: Setting }) {
  const { name, help, origin, isSet } = setting;
  return (
    <li>
      <div class="row between">
        <code>{name}</code>
        <span class={`badge ${isSet ? "accent" : ""}`}>{ORIGINS[origin]}</span>
      </div>
      <p class="mono wrap foreign">
        <Value setting={setting} />
      </p>
      <p class="help">
        <Words text={help} />
      </p>
    </li>
  );
}

/** What somebody set as it is; what holds without that in words. */
function Value({ setting }: { readonly setting: Setting }) {
  const { value, isSet, isSecret, usual } = setting;
  if (isSecret) return <>{isSet ? "set, never shown" : "not set"}</>;
  return value === null ? <Words text={usual ?? "not set"} /> : <>{value}</>;
}
