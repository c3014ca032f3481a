import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import { useAnswer } from "../../client/load.ts";
import { count, plural } from "../../format/numbers.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { SearchBar } from "../../parts/search-bar.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { Words } from "../../parts/words.tsx";
import { SetUp, useSetUp } from "../overview/set-up.tsx";
import { ChangeSettingsDialog, type Setting } from "./change-settings.tsx";
import { Logins } from "./logins.tsx";
import { OperatorKeys } from "./operators.tsx";
import { PartTests } from "./part-tests.tsx";

const ORIGINS = {
  default: "default",
  file: ".env file",
  environment: "environment",
  dashboard: "dashboard",
} as const;

/** Every setting with its value and where that comes from, and tests of the parts. */
export function Settings() {
  const loaded = useAnswer("GET /admin/api/settings");
  const [search, setSearch] = useState(useLocation().query["search"] ?? "");
  const [isSetOnly, setSetOnly] = useState(false);
  const [part, setPart] = useState<string | undefined>(undefined);
  const [shown, setShown] = useState("");
  const parts = [...new Set(loaded.data?.data.settings.map((setting) => setting.part))];
  return (
    <Page
      title="Settings"
      beside={<span class="faint">the environment and .env come first; a change there needs a restart</span>}
    >
      <SearchBar label="Find a setting" value={search} onSearch={setSearch}>
        <Choice
          label="Part"
          options={{ "": "All parts", ...Object.fromEntries(parts.map((name) => [name, name])) }}
          value={shown}
          onChange={setShown}
        />
        <button type="button" class="chip" aria-pressed={isSetOnly} onClick={() => setSetOnly(!isSetOnly)}>
          Only configured settings
        </button>
      </SearchBar>
      <div class="cols">
        <div class="stack wide">
          <WithData loaded={loaded} lines={12}>
            {({ data }) => (
              <>
                <Parts
                  settings={data.settings.filter(
                    (setting) => (shown === "" || setting.part === shown) && fits(setting, search, isSetOnly),
                  )}
                  isFolded={shown === "" && search.trim() === "" && !isSetOnly}
                  onChange={setPart}
                />
                {part !== undefined && (
                  <ChangeSettingsDialog
                    part={part}
                    settings={data.settings.filter((one) => one.part === part && one.isWritable)}
                    version={data.version}
                    onChanged={loaded.reload}
                    onClose={() => setPart(undefined)}
                  />
                )}
              </>
            )}
          </WithData>
        </div>
        <div class="stack wide">
          <PartTests />
          <SetUp loaded={useSetUp()} />
        </div>
      </div>
      <div class="stack above">
        <OperatorKeys />
        <Logins />
      </div>
    </Page>
  );
}

function fits({ name, help, part, isSet }: Setting, search: string, isSetOnly: boolean): boolean {
  return (
    (isSet || !isSetOnly) && `${name} ${part} ${help}`.toLowerCase().includes(search.trim().toLowerCase())
  );
}

interface PartsProps {
  readonly settings: readonly Setting[];
  /** Whether nothing is looked for: then the parts are an overview. */
  readonly isFolded: boolean;
  readonly onChange: (part: string) => void;
}

function Parts({ settings, isFolded, onChange }: PartsProps) {
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
        <Panel
          key={part}
          title={part}
          beside={
            settings.some((setting) => setting.part === part && setting.isWritable) && (
              <ActButton
                route="PATCH /admin/api/settings"
                class="btn small"
                aria-label={`Change: ${part}`}
                onClick={() => onChange(part)}
              >
                Change
              </ActButton>
            )
          }
        >
          <Lines settings={settings.filter((setting) => setting.part === part)} isFolded={isFolded} />
        </Panel>
      ))}
    </>
  );
}

function Lines({ settings, isFolded }: Pick<PartsProps, "settings" | "isFolded">) {
  const configured = settings.filter(({ isSet }) => isSet).length;
  return (
    <details class="folded" open={!isFolded}>
      <summary>{`${plural(settings.length, "setting")}, ${count(configured)} configured`}</summary>
      <ul class="settings">
        {settings.map((setting) => (
          <Line key={setting.name} setting={setting} />
        ))}
      </ul>
    </details>
  );
}

function Line({ setting }: { readonly setting: Setting }) {
  const { name, help, origin, isSet, whyFixed } = setting;
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
      {whyFixed !== null && (
        <p class="help remedy">
          <Words text={whyFixed} />
        </p>
      )}
    </li>
  );
}

/** A value that is set, as it is; a default in words. */
function Value({ setting }: { readonly setting: Setting }) {
  const { value, isSet, isSecret, usual } = setting;
  if (isSecret) return <>{isSet ? "set, never shown" : "not set"}</>;
  return value === null ? <Words text={usual ?? "not set"} /> : <>{value}</>;
}
