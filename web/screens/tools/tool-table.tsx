import type { ProvidersAnswer } from "../../../src/contract/operator/tools.ts";
import { plainly } from "../../format/foreign.ts";
import { Badge } from "../../parts/badge.tsx";

type Provider = ProvidersAnswer["data"]["providers"][number];

/** What can be called of a provider. */
export function ToolTable({ provider }: { readonly provider: Provider }) {
  return (
    <div class="scrolls">
      <table class="tools">
        <thead>
          <tr>
            <th>Tool</th>
            <th class="wide-only">Kind</th>
            <th class="num">Credits</th>
            <th>
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {provider.tools.map(({ id, name, description, creditsCost, perRecord, readOnly }) => (
            <tr key={id}>
              <td class="fills">
                <span class="foreign">{plainly(name)}</span>
                <span class="faint foreign clamped" title={plainly(description)}>
                  {plainly(description)}
                </span>
              </td>
              <td class="wide-only">
                {readOnly ? <span class="badge">repeatable</span> : <Badge tone="warn">not repeatable</Badge>}
              </td>
              <td class="num">{`${creditsCost}${perRecord ? " a record" : ""}`}</td>
              <td class="num">
                <a
                  class="btn small"
                  aria-label={`Try ${name}`}
                  href={`/dashboard/playground?tool=${encodeURIComponent(`${provider.id}/${id}`)}`}
                >
                  Try
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
