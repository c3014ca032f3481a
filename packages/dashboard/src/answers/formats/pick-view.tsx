import { useMemo, useState } from "preact/hooks";

import { useAnswer } from "../../client/load.ts";
import { Notice, Skeleton } from "../../parts/states.tsx";
import { Tick } from "../../parts/tick.tsx";
import { Source } from "../source.tsx";
import { type Pick, pickable, schemaOfPicks } from "./picks.ts";

/** The texts of a page as they follow each other. Those that are clicked become values of a schema, with their selectors. */
export function PickView({ id, url }: { readonly id: string; readonly url: string }) {
  const { data, problem } = useAnswer(
    "GET /admin/api/requests/{id}/page",
    { params: { id } },
    { everyMs: "fixed" },
  );
  if (problem !== undefined) return <Notice tone="warn" title={problem} />;
  if (!data) return <Skeleton lines={8} />;
  const { html } = data.data;
  if (html === null) return <p class="more help">Values are picked on pages of HTML. This one has none.</p>;
  return <Picking html={html} url={url} />;
}

function Picking({ html, url }: { readonly html: string; readonly url: string }) {
  const texts = useMemo(() => pickable(html), [html]);
  const [picks, setPicks] = useState<readonly Pick[]>([]);
  const schema = schemaOfPicks(picks);
  const request = { url, formats: [{ type: "json", schema, citeSources: true }] };
  function toggle(text: Pick): void {
    const others = picks.filter(({ selector }) => selector !== text.selector);
    setPicks(others.length < picks.length ? others : [...picks, text]);
  }
  function change(picked: Pick, changed: Partial<Pick>): void {
    setPicks(picks.map((pick) => (pick === picked ? { ...pick, ...changed } : pick)));
  }
  return (
    <div class="beside">
      <section aria-label="Texts of the page" class="evidence">
        <p class="help">Click the values that you want.</p>
        {texts.map((text) => (
          <button
            type="button"
            class="btn small foreign wrap"
            key={text.selector}
            aria-pressed={picks.some(({ selector }) => selector === text.selector)}
            title={text.selector}
            onClick={() => toggle(text)}
          >
            {text.text}
          </button>
        ))}
      </section>
      <section aria-label="Schema">
        {picks.length === 0 && <p class="more help">The schema appears here.</p>}
        {picks.map((pick) => (
          <PickedText key={pick.selector} pick={pick} onChange={(changed) => change(pick, changed)} />
        ))}
        {picks.length > 0 && (
          <>
            <Source text={JSON.stringify(schema, null, 2)} label="schema" />
            <a
              class="btn small"
              href={`/dashboard/playground#request=${encodeURIComponent(JSON.stringify(request))}`}
            >
              Open in the playground
            </a>
          </>
        )}
      </section>
    </div>
  );
}

interface PickedTextProps {
  readonly pick: Pick;
  readonly onChange: (changed: Partial<Pick>) => void;
}

/** The name of a value, and whether all of its list are wanted. */
function PickedText({ pick, onChange }: PickedTextProps) {
  const list = useMemo(pick.listOf, [pick.selector]);
  return (
    <div class="more">
      <label>
        <span class="foreign wrap">{pick.text}</span>
        <input
          type="text"
          aria-label={`Name of ${pick.text}`}
          value={pick.name}
          onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
      </label>
      {list && (
        <Tick
          label={`All ${list.count} like this`}
          isOn={pick.list !== undefined}
          onChange={(isOn) => onChange({ list: isOn ? list : undefined })}
        />
      )}
    </div>
  );
}
