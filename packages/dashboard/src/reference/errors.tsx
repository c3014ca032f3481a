import { Table } from "../parts/table.tsx";
import type { ServiceDocument } from "./document.ts";

/** The codes of errors, as the document has them: a table in Markdown. */
export function Errors({ document }: { readonly document: ServiceDocument }) {
  const table = document.tags.find(({ name }) => name === "Errors")?.description ?? "";
  const [head = [], , ...rows] = table.split("\n").map(cellsOf);
  return (
    <article>
      <h1>Errors</h1>
      <p class="help">
        An answer with an error has <code>success: false</code>, <code>code</code> and <code>error</code>,
        which says what happened in words.
      </p>
      <Table
        label="Error codes"
        frame={{ class: "scrolls" }}
        columns={head.map((heading, position) => ({
          heading,
          cell: (cells: readonly string[]) => <Cell text={cells[position] ?? ""} />,
        }))}
        rows={rows}
        keyOf={([, code = ""]) => code}
      />
    </article>
  );
}

/** Only codes are marked in the table. */
function Cell({ text }: { readonly text: string }) {
  return text.startsWith("`") ? <code>{text.replaceAll("`", "")}</code> : <>{text}</>;
}

function cellsOf(row: string): readonly string[] {
  return row
    .replaceAll(/^\||\|$/g, "")
    .split(" | ")
    .map((cell) => cell.trim());
}
