import type { JobStores } from "../job-store.ts";
import { type JobEntry, showJob } from "./show-job.ts";

/** Time between two checks for changes. */
const INTERVAL_MS = 500;
/** Jobs that one check reports. Later checks report the rest. */
const MAX_AT_ONCE = 8;

/**
 * Reports changed jobs, each at most twice a second, however fast their pages are.
 * @param onError called with the reason why rows could not be read. The next change reports their jobs.
 * @returns a function that stops it.
 */
export function watchJobs(
  { stores }: { readonly stores: JobStores },
  tell: (job: JobEntry) => void,
  onError: (failure: unknown) => void,
): () => void {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    timer ??= setTimeout(() => void look().catch(onError), INTERVAL_MS).unref();
  };
  async function look(): Promise<void> {
    const ids = [...changed].slice(0, MAX_AT_ONCE);
    for (const id of ids) changed.delete(id);
    timer = undefined;
    if (changed.size > 0) wait();
    for (const id of ids) {
      const found = await stores.find(id);
      if (found) tell(await showJob(found));
    }
  }
  const unwatch = stores.watchAll((id) => {
    changed.add(id);
    wait();
  });
  return () => {
    unwatch();
    clearTimeout(timer);
  };
}
