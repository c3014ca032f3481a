import { DatabaseSync } from "@photostructure/sqlite";

/**
 * Gives memory that is free back to the system. The C library keeps what is freed between pieces in use, 14 MB after a crawl
 * of 1,500 pages, until somebody calls its `malloc_trim`: Node never does, and SQLite can call a function of a library.
 */
export function giveFreedMemoryBack(): void {
  const database = new DatabaseSync(":memory:", { allowExtension: true });
  try {
    database.enableLoadExtension(true);
    database.loadExtension("libc.so.6", "malloc_trim");
  } catch {
    // Its answer 1, memory was given back, is a failure to SQLite. C libraries other than glibc do not have it.
  } finally {
    database.close();
  }
}
