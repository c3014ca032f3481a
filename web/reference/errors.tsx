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
      <div class="scrolls" tabIndex={0} role="region" aria-label="Error codes">
        <table>
          <thead>
            <tr>
              {head.map((cell) => (
                <th key={cell}>{cell}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([status, code = "", meaning]) => (
              <tr key={code}>
                <td>{status}</td>
                <td>
                  <code>{code.replaceAll("`", "")}</code>
                </td>
                <td>{meaning}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </article>
  );
}

function cellsOf(row: string): readonly string[] {
  return row
    .replaceAll(/^\||\|$/g, "")
    .split(" | ")
    .map((cell) => cell.trim());
}
