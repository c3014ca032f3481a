import type { ComponentChild } from "preact";

import type { UsageAnswer } from "@pergamon-dev/server/operator/usage/usage";
import { count } from "../../format/numbers.ts";
import { Panel } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { type Filter, logPath } from "../requests/filter.ts";

type Usage = UsageAnswer["data"];

interface ErrorsProps {
  readonly usage: Usage;
  readonly scope: Filter;
}

/** What failed and what was refused, by code; each leads to its requests. */
export function Errors({ usage: { errors, refusals }, scope }: ErrorsProps) {
  return (
    <div class="stack wide">
      <Panel title="Errors by code">
        <Codes
          codes={errors}
          scope={scope}
          empty={<Empty title="No errors">All requests of this period succeeded.</Empty>}
        />
      </Panel>
      {refusals.length > 0 && (
        <Panel title="Refused calls by code">
          <Codes codes={refusals} scope={{ ...scope, kind: "refused" }} />
        </Panel>
      )}
    </div>
  );
}

interface CodesProps {
  readonly codes: Usage["errors"];
  readonly scope: Filter;
  readonly empty?: ComponentChild;
}

function Codes({ codes, scope, empty }: CodesProps) {
  return (
    <Table
      label="Codes"
      columns={[
        {
          heading: "Code",
          class: "mono wrap",
          cell: ({ code }) => (
            <a class="foreign" href={logPath({ ...scope, code })}>
              {code}
            </a>
          ),
        },
        { heading: "Times", kind: "number", cell: ({ count: times }) => count(times) },
      ]}
      rows={codes}
      keyOf={({ code }) => code}
      empty={empty}
    />
  );
}
