import type { ComponentChild, Ref } from "preact";

import type { Windowed } from "./windowed.ts";

/** What a column holds: the name of a row, a number, buttons, or a mark in as little room as it needs. */
type Kind = "name" | "number" | "acts" | "mark";

export interface Column<Row> {
  /** Hidden from sight above marks; above buttons it is "Actions". */
  readonly heading?: string;
  readonly cell: (row: Row, index: number) => ComponentChild;
  readonly kind?: Kind;
  /** The width of the window from which there is room for it. */
  readonly from?: "wide" | "roomy";
  /** Class of its cells. */
  readonly class?: string;
}

interface TableProps<Row> {
  /** Its name for screen readers. */
  readonly label: string;
  /** Columns that are `false` are left out. */
  readonly columns: readonly (Column<Row> | false)[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string | number;
  /** Shown instead of a table without rows. */
  readonly empty?: ComponentChild;
  readonly class?: string;
  /** A table that scrolls within the page: the class of its frame, which a keyboard can reach. */
  readonly frame?: { readonly class: string; readonly ref?: Ref<HTMLDivElement> };
  /** The rows that are drawn, if not all; each is announced by its position among all of them. */
  readonly drawn?: Windowed;
  readonly isOn?: (row: Row) => boolean;
  /** A click on a row; its name has to be a link or button as well. */
  readonly onRow?: (row: Row) => void;
}

/** A table of the dashboard. Columns without any heading draw no head. */
export function Table<Row>({ columns, rows, drawn, empty, ...props }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const { label, frame, keyOf, isOn, onRow } = props;
  const shown = columns.filter((column) => column !== false);
  const first = drawn?.start ?? 0;
  return (
    <div
      class="scrolls"
      {...(frame && { ...frame, tabIndex: 0, role: "region" as const, "aria-label": label })}
    >
      <table class={props.class} aria-label={label} {...(drawn && { "aria-rowcount": rows.length + 1 })}>
        {shown.some(({ heading }) => heading !== undefined) && <Head columns={shown} />}
        <tbody>
          <Space height={drawn?.above} columns={shown.length} />
          {rows.slice(first, drawn?.end).map((row, index) => (
            <tr
              key={keyOf(row, first + index)}
              class={isOn?.(row) === true ? "on" : ""}
              {...(drawn && { "aria-rowindex": first + index + 2 })}
              {...(onRow && { onClick: () => onRow(row) })}
            >
              {shown.map((column, position) => (
                <td key={position} class={classesOf(column, CELLS)}>
                  {column.cell(row, first + index)}
                </td>
              ))}
            </tr>
          ))}
          <Space height={drawn?.below} columns={shown.length} />
        </tbody>
      </table>
    </div>
  );
}

function Head<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ heading = "Actions", kind, from }, position) => (
          <th key={position} class={classesOf({ kind, from }, HEADS)}>
            {kind === "acts" || kind === "mark" ? <span class="unseen">{heading}</span> : heading}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Space({ height = 0, columns }: { readonly height?: number | undefined; readonly columns: number }) {
  if (height === 0) return null;
  return (
    <tr aria-hidden="true" class="space">
      <td colSpan={columns} style={{ height: `${height}px` }} />
    </tr>
  );
}

const HEADS = { name: "", number: "num", acts: "", mark: "slim" } as const;
const CELLS = { name: "fills", number: "num", acts: "num", mark: "" } as const;

interface Look {
  readonly kind?: Kind | undefined;
  readonly from?: Column<never>["from"];
  readonly class?: string;
}

function classesOf({ kind, from, class: own = "" }: Look, kinds: Readonly<Record<Kind, string>>): string {
  return [kind && kinds[kind], from && `${from}-only`, own].filter(Boolean).join(" ");
}
