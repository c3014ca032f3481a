import { exactly } from "../../format/times.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { BeforeAfter } from "../before-after.tsx";
import { DifferenceLines, linesOfDiff } from "../difference-lines.tsx";
import type { ChangeAnswer } from "./shapes.ts";

/** State → its colour, and what it means. */
const STATES: Readonly<Record<string, readonly [tone: Tone, meaning: string]>> = {
  new: ["info", "This page was not tracked before. The next scrape is compared with this one."],
  same: ["ok", "Nothing changed."],
  changed: ["warn", "The page changed."],
  removed: ["bad", "The page is gone."],
};

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
      {diff !== undefined && diff !== "" && (
        <DifferenceLines label="Changed lines" lines={linesOfDiff(diff)} />
      )}
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
