import type { JsonDifference } from "@pergamon-dev/server/history/operator/json-differences";
import type { CompareAnswer } from "@pergamon-dev/server/history/operator/compare-requests";
import { plural } from "../format/numbers.ts";
import { exactly } from "../format/times.ts";
import { Badge } from "../parts/badge.tsx";
import { Notice } from "../parts/states.tsx";
import { BeforeAfter, type Change } from "./before-after.tsx";
import { DifferenceLines, linesOfHunks } from "./difference-lines.tsx";
import { Slider } from "./slider.tsx";

interface PathsProps {
  readonly title: string;
  readonly differences: readonly JsonDifference[];
}

/** Places where two documents differ. */
function Paths({ title, differences }: PathsProps) {
  const changes = differences.map(({ path, a, b }): Change => [path, shown(a), shown(b)]);
  return <BeforeAfter title={title} changes={changes} />;
}

/** Values of many characters are cut: the answers have all of them. */
const SHOWN_CHARACTERS = 500;

function shown(value: unknown): string {
  if (value === undefined) return "(nothing)";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** In how many places two requests differ. */
function differenceCount({ outcome, markdown, json, metadata, request }: CompareAnswer["data"]): number {
  const pieces = markdown?.hunks.length ?? 0;
  return outcome.length + pieces + json.length + metadata.length + request.length;
}

/** Everything in which two requests differ. */
export function Differences({ comparison }: { readonly comparison: CompareAnswer["data"] }) {
  const { a, b, markdown, screenshots, missing, request, outcome, json, metadata } = comparison;
  return (
    <>
      <div class="two">
        <Side title="Before" time={a.createdAt} way={a.way} />
        <Side title="After" time={b.createdAt} way={b.way} />
      </div>
      {missing.length > 0 && (
        <Notice tone="warn" title="A response is no longer stored">
          Responses are stored for one day. The rest of the requests is compared.
        </Notice>
      )}
      <p class="more">
        {comparison.isSame ? (
          <Badge tone="ok">No differences</Badge>
        ) : (
          <Badge tone="info">{plural(differenceCount(comparison), "change")}</Badge>
        )}
        <span class="faint">Ids, times, cache states and signed links are not compared.</span>
      </p>
      <Paths title="Outcome" differences={outcome} />
      {markdown &&
        (markdown.hunks.length === 0 ? (
          <p class="more help">The Markdown is identical.</p>
        ) : (
          <DifferenceLines
            label="Markdown differences"
            lines={linesOfHunks(markdown.hunks)}
            isCut={markdown.isCut}
          />
        ))}
      <Paths title="Request" differences={request} />
      <Paths title="Response" differences={json} />
      <Paths title="Metadata" differences={metadata} />
      {screenshots && <Slider screenshots={screenshots} />}
    </>
  );
}

interface SideProps {
  readonly title: string;
  readonly time: string;
  readonly way: string | null;
}

function Side({ title, time, way }: SideProps) {
  return (
    <div>
      <span class="faint">{title}</span>
      <br />
      {exactly(time)}
      {way !== null && <span class="dim"> via {way}</span>}
    </div>
  );
}
