// The built library packages/documents as the scoring tool asks for a parser; its processes are started once.
import { readFile } from "node:fs/promises";

let pool;

export default {
  async init({ library }) {
    const { openDocumentPool } = await import(library);
    pool = openDocumentPool({ maxProcesses: 1 });
  },
  async convert(file, { mode }) {
    return pool.toMarkdown(await readFile(file), { mode });
  },
  close: () => pool.close(),
};
