import type { UsageAnswer } from "../../../src/contract/operator/usage.ts";
import { count } from "../../format/numbers.ts";
import { Panel } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";
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
        {errors.length === 0 ? (
          <Empty title="No errors">All requests of this period succeeded.</Empty>
        ) : (
          <Codes codes={errors} scope={scope} />
        )}
      </Panel>
      {refusals.length > 0 && (
        <Panel title="Refused calls by code">
          <Codes codes={refusals} scope={{ ...scope, kind: "refused" }} />
        </Panel>
      )}
    </div>
  );
}

function Codes({ codes, scope }: { readonly codes: Usage["errors"]; readonly scope: Filter }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Code</th>
          <th class="num">Times</th>
        </tr>
      </thead>
      <tbody>
        {codes.map(({ code, count: times }) => (
          <tr key={code}>
            <td class="mono wrap">
              <a class="foreign" href={logPath({ ...scope, code })}>
                {code}
              </a>
            </td>
            <td class="num">{count(times)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
