import type { ComponentChild, Ref } from "preact";
import { useState } from "preact/hooks";

import type { Windowed } from "./windowed.ts";

/** What a column holds: the name of a row, a number, buttons, or a mark in as little room as it needs. */
type Kind = "name" | "number" | "acts" | "mark";

export interface Column<Row> {
  /** Hidden from sight above marks; above buttons it is "Actions". */
  readonly heading?: string;
  readonly cell: (row: Row, index: number) => ComponentChild;
  readonly kind?: Kind;
  /** What its rows are sorted by, when somebody asks for that. */
  readonly by?: (row: Row) => string | number | null;
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
  const [order, setOrder] = useState<Order | undefined>(undefined);
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  const { label, frame, keyOf, isOn, onRow } = props;
  const shown = columns.filter((column) => column !== false);
  const first = drawn?.start ?? 0;
  const sorted = sortedBy(rows, shown[order?.column ?? -1]?.by, order?.isDown === true);
  return (
    <div
      class="scrolls"
      {...(frame && { ...frame, tabIndex: 0, role: "region" as const, "aria-label": label })}
    >
      <table class={props.class} aria-label={label} {...(drawn && { "aria-rowcount": rows.length + 1 })}>
        {shown.some(({ heading }) => heading !== undefined) && (
          <Head columns={shown} order={order} onOrder={setOrder} />
        )}
        <tbody>
          <Space height={drawn?.above} columns={shown.length} />
          {sorted.slice(first, drawn?.end).map((row, index) => (
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

interface Order {
  /** Position of the column. */
  readonly column: number;
  readonly isDown: boolean;
}

interface HeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly order: Order | undefined;
  readonly onOrder: (order: Order | undefined) => void;
}

function Head<Row>({ columns, order, onOrder }: HeadProps<Row>) {
  return (
    <thead>
      <tr>
        {columns.map(({ heading = "Actions", kind, from, by }, position) => {
          const own = order?.column === position ? order : undefined;
          const isHidden = kind === "acts" || kind === "mark";
          return (
            <th
              key={position}
              class={classesOf({ kind, from }, HEADS)}
              {...(own && { "aria-sort": own.isDown ? ("descending" as const) : ("ascending" as const) })}
            >
              {by && (
                <button type="button" class="sort" onClick={() => onOrder(nextOrder(position, own))}>
                  {heading}
                  <span aria-hidden="true">{own ? (own.isDown ? " ↓" : " ↑") : ""}</span>
                </button>
              )}
              {!by && (isHidden ? <span class="unseen">{heading}</span> : heading)}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** Down, up, and as it came. */
function nextOrder(column: number, now: Order | undefined): Order | undefined {
  if (!now) return { column, isDown: true };
  return now.isDown ? { column, isDown: false } : undefined;
}

/** What has no value comes last, whatever the order. */
function sortedBy<Row>(rows: readonly Row[], by: Column<Row>["by"], isDown: boolean): readonly Row[] {
  if (!by) return rows;
  return rows.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const ascending =
      typeof a === "number" && typeof b === "number" ? a - b : words.compare(String(a), String(b));
    return isDown ? -ascending : ascending;
  });
}

/** `page 2` comes before `page 10`. */
const words = new Intl.Collator("en", { numeric: true });

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
