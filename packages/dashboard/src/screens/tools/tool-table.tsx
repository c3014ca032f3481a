import type { ProvidersAnswer } from "@pergamon-dev/server/tools/operator/show-provider";
import { plainly } from "../../format/foreign.ts";
import { Badge } from "../../parts/badge.tsx";
import { type Column, Table } from "../../parts/table.tsx";

type Provider = ProvidersAnswer["data"]["providers"][number];

/** What can be called of a provider. */
export function ToolTable({ provider }: { readonly provider: Provider }) {
  return (
    <Table
      label={`Tools of ${plainly(provider.name)}`}
      class="tools"
      columns={[
        ...COLUMNS,
        {
          kind: "acts",
          cell: ({ id, name }) => (
            <a
              class="btn small"
              aria-label={`Try ${name}`}
              href={`/dashboard/playground?tool=${encodeURIComponent(`${provider.id}/${id}`)}`}
            >
              Try
            </a>
          ),
        },
      ]}
      rows={provider.tools}
      keyOf={({ id }) => id}
    />
  );
}

const COLUMNS: readonly Column<Provider["tools"][number]>[] = [
  {
    heading: "Tool",
    kind: "name",
    cell: ({ name, description }) => (
      <>
        <span class="foreign">{plainly(name)}</span>
        <span class="faint foreign clamped" title={plainly(description)}>
          {plainly(description)}
        </span>
      </>
    ),
  },
  {
    heading: "Kind",
    from: "wide",
    cell: ({ readOnly }) =>
      readOnly ? <span class="badge">repeatable</span> : <Badge tone="warn">not repeatable</Badge>,
  },
  {
    heading: "Credits",
    kind: "number",
    cell: ({ creditsCost, perRecord }) => `${creditsCost}${perRecord ? " a record" : ""}`,
  },
];
