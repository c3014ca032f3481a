import { useState } from "preact/hooks";

import type { CheckAnswer } from "@pergamon-dev/server/monitor/operator";
import { BeforeAfter } from "../../answers/before-after.tsx";
import { DifferenceLines, linesOfDiff } from "../../answers/difference-lines.tsx";
import { Slider } from "../../answers/slider.tsx";
import { useAnswer } from "../../client/load.ts";
import { WithData } from "../../parts/states.tsx";

/** A value that changed. */
interface JsonChange {
  readonly previous: unknown;
  readonly current: unknown;
}
type Page = CheckAnswer["data"]["pages"][number];

/** What changed on a page: lines, values, and pictures where they are kept. */
export function PageDifferences({ page }: { readonly page: Page }) {
  const { diff, previousScrapeId, currentScrapeId, metadata } = page;
  if (diff === null) return null;
  const { text, json } = diff;
  const values = typeof json === "object" && json !== null && !("files" in json) ? json : {};
  const hasPicture = typeof metadata === "object" && metadata !== null && "screenshot" in metadata;
  return (
    <>
      {typeof text === "string" && <DifferenceLines label="Changed lines" lines={linesOfDiff(text)} />}
      <BeforeAfter
        title="Value"
        changes={Object.entries(values as Readonly<Record<string, JsonChange>>).map(
          ([path, { previous, current }]) => [path, JSON.stringify(previous), JSON.stringify(current)],
        )}
      />
      {hasPicture && previousScrapeId !== null && currentScrapeId !== null && (
        <Pictures a={previousScrapeId} b={currentScrapeId} />
      )}
    </>
  );
}

/** Fetched when they are asked for: screenshots are large. */
function Pictures({ a, b }: { readonly a: string; readonly b: string }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <LoadedPictures a={a} b={b} />;
  return (
    <p class="more">
      <button type="button" class="btn small" onClick={() => setIsOpen(true)}>
        Compare screenshots
      </button>
    </p>
  );
}

function LoadedPictures({ a, b }: { readonly a: string; readonly b: string }) {
  const loaded = useAnswer("GET /admin/api/compare", { query: { a, b } }, { everyMs: "fixed" });
  return (
    <WithData loaded={loaded}>
      {({ data: { screenshots } }) =>
        screenshots ? (
          <Slider screenshots={screenshots} />
        ) : (
          <p class="more help">The screenshots are not kept any more.</p>
        )
      }
    </WithData>
  );
}
