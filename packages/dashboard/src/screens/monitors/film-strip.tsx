import type { MonitorAnswer } from "@pergamon-dev/server/monitor/operator";
import { ownFile } from "../../answers/document.ts";
import { SparkLine } from "../../charts/spark-line.tsx";
import { plainly } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { moment } from "../../format/times.ts";
import { Panel } from "../../parts/page.tsx";
import { shortUrl } from "../../parts/request-marks.tsx";
import { Table } from "../../parts/table.tsx";
import { Thumbnail } from "../../parts/thumbnail.tsx";
import { PageState } from "./check-marks.tsx";

type Frames = MonitorAnswer["data"]["frames"];

interface FilmStripProps {
  readonly monitorId: string;
  readonly frames: Frames;
}

/** What the last checks saw: pictures one after the other, and numbers over time. */
export function FilmStrip({ monitorId, frames }: FilmStripProps) {
  const pictures = frames.filter(({ screenshot }) => screenshot !== null);
  return (
    <>
      {pictures.length > 0 && (
        <Panel title="Pictures">
          <div class="film" role="region" aria-label="Pictures of the last checks" tabIndex={0}>
            {pictures.map(({ checkId, url, status, createdAt, screenshot }, index) => (
              <a
                key={index}
                title={plainly(url)}
                href={`/dashboard/monitors?id=${encodeURIComponent(monitorId)}&check=${encodeURIComponent(checkId)}`}
              >
                <Thumbnail src={ownFile(screenshot ?? "")} />
                <PageState status={status} /> {moment(createdAt)}
              </a>
            ))}
          </div>
        </Panel>
      )}
      <Values frames={frames} />
    </>
  );
}

interface Course {
  readonly url: string;
  readonly name: string;
  readonly numbers: readonly number[];
}

function Values({ frames }: { readonly frames: Frames }) {
  const courses = new Map<string, Course>();
  for (const { url, values } of frames)
    for (const [name, value] of Object.entries(values)) {
      const key = JSON.stringify([url, name]);
      courses.set(key, { url, name, numbers: [...(courses.get(key)?.numbers ?? []), value] });
    }
  if (courses.size === 0) return null;
  return (
    <Panel title="Values">
      <Table
        label="Values of the last checks"
        columns={[
          {
            heading: "Value",
            kind: "name",
            by: ({ name }) => name,
            cell: ({ url, name }) => (
              <>
                <span class="mono foreign">{plainly(name)}</span>
                <span class="faint foreign">{plainly(shortUrl(url))}</span>
              </>
            ),
          },
          { heading: "Course", cell: ({ name, numbers }) => <Curve name={name} numbers={numbers} /> },
          { heading: "Least", kind: "number", cell: ({ numbers }) => count(Math.min(...numbers)) },
          { heading: "Most", kind: "number", cell: ({ numbers }) => count(Math.max(...numbers)) },
          { heading: "Now", kind: "number", cell: ({ numbers }) => count(numbers.at(-1) ?? 0) },
        ]}
        rows={[...courses.values()]}
        keyOf={({ url, name }) => `${url} ${name}`}
      />
    </Panel>
  );
}

/** Drawn between its least and its most, so that small changes are seen. */
function Curve({ name, numbers }: Pick<Course, "name" | "numbers">) {
  const least = Math.min(...numbers);
  return (
    <SparkLine
      values={numbers.map((value) => value - least)}
      most={Math.max(...numbers) - least}
      length={Math.max(2, numbers.length)}
      label={`${plainly(name)}: ${numbers.map(count).join(", ")}`}
    />
  );
}
