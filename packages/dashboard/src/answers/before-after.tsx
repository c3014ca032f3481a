import { plainly } from "../format/foreign.ts";
import { type Column, Table } from "../parts/table.tsx";

/** A value that differs: what it is called, and its text on both sides. */
export type Change = readonly [name: string, before: string, after: string];

interface BeforeAfterProps {
  /** What the values are, as the heading of their names. */
  readonly title: string;
  readonly changes: readonly Change[];
  /** The heading of the second side. */
  readonly after?: string;
}

/** Values before and after a change, next to each other. */
export function BeforeAfter({ title, changes, after = "After" }: BeforeAfterProps) {
  const columns = [title, "Before", after].map((heading, side): Column<Change> => ({
    heading,
    class: "mono wrap foreign",
    cell: (change) => plainly(change[side] ?? ""),
  }));
  return (
    <Table
      label={title}
      class="changed"
      columns={columns}
      rows={changes}
      keyOf={([name]) => name}
      empty={null}
    />
  );
}
