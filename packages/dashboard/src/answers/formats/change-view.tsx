import { exactly } from "../../format/times.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { BeforeAfter } from "../before-after.tsx";
import type { ChangeAnswer } from "./shapes.ts";

/** State → its colour, and what it means. */
const STATES: Readonly<Record<string, readonly [tone: Tone, meaning: string]>> = {
  new: ["info", "This page was not tracked before. The next scrape is compared with this one."],
  same: ["ok", "Nothing changed."],
  changed: ["warn", "The page changed."],
  removed: ["bad", "The page is gone."],
};
/** More lines are slow to draw; the whole response has all of them. */
const MAX_LINES = 3000;

/** What changed on a page since the scrape before: values, then lines. */
export function ChangeView({ change }: { readonly change: ChangeAnswer }) {
  const { changeStatus, previousScrapeAt, diff, json } = change;
  const [tone, meaning] = STATES[changeStatus] ?? ["info", ""];
  return (
    <>
      <div class="more row between wrapping">
        <span class="row tight">
          <Badge tone={tone}>{changeStatus}</Badge>
          {meaning}
        </span>
        {previousScrapeAt !== null && (
          <span class="faint">{`Compared with ${exactly(previousScrapeAt)}`}</span>
        )}
      </div>
      <BeforeAfter
        title="Value"
        after="Now"
        changes={Object.entries(json ?? {}).map(([name, value]) => [
          name,
          shown(value.previous),
          shown(value.current),
        ])}
      />
      {diff !== undefined && diff !== "" && <Lines diff={diff} />}
      {changeStatus === "changed" && json === undefined && diff === undefined && (
        <p class="more help">Add the mode git-diff or json to the request to see what changed.</p>
      )}
    </>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "(nothing)";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const LINE_CLASSES: Readonly<Record<string, string>> = { "+": "add", "-": "del", "@": "gap" };
const KINDS: Readonly<Record<string, string>> = { "+": "added: ", "-": "removed: " };

function Lines({ diff }: { readonly diff: string }) {
  const lines = diff.split("\n").filter((line) => !/^(?:---|\+\+\+|diff |index )/.test(line));
  return (
    <div class="diff" role="region" aria-label="Changed lines" tabIndex={0}>
      {lines.slice(0, MAX_LINES).map((line, index) => {
        const [sign, text] = [line.charAt(0), line.slice(1)];
        return sign === "@" ? (
          <div class="gap" key={index}>
            {line}
          </div>
        ) : (
          <div class={LINE_CLASSES[sign] ?? ""} key={index}>
            <b aria-hidden="true">{sign.trim()}</b>
            {KINDS[sign] !== undefined && <span class="unseen">{KINDS[sign]}</span>}
            <span class="wrap foreign">{text}</span>
          </div>
        );
      })}
      {lines.length > MAX_LINES && <div class="gap">The whole response has the rest.</div>}
    </div>
  );
}
