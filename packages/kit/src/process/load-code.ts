import { closeSync, openSync } from "node:fs";

/** This many files may be opened at once while code loads, and other work may open some meanwhile. */
const MARGIN = 64;

const loaded = new Set<string>();

/**
 * Loads code at its first use. Node remembers a failed `import()` for the life of the process, so the import
 * only starts while files can be opened; otherwise the next use tries again. The build wraps it around each
 * `import()`.
 * @param name the same for the same code. @throws the system's failure when too few files can be opened.
 */
export async function loadCode<Code>(load: () => Promise<Code>, name: string): Promise<Code> {
  if (!loaded.has(name)) requireFreeFiles();
  const code = await load();
  loaded.add(name);
  return code;
}

function requireFreeFiles(): void {
  const opened: number[] = [];
  try {
    while (opened.length < MARGIN) opened.push(openSync("/dev/null", "r"));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
