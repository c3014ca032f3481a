import { repeat } from "@pergamon-dev/kit/repeat";
import { showRequest } from "../history/operator/show-request.ts";
import type { RequestFilter, RequestPage } from "../history/record-search.ts";
import type { InteractPart } from "../interact/open.ts";
import { showJob } from "../jobs/operator/show-job.ts";
import { searchJobs } from "../jobs/job-pages.ts";
import type { JobStores } from "../jobs/job-store.ts";

interface Searched {
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
  readonly runs: { readonly stores: JobStores };
  readonly interact: Pick<InteractPart, "latest">;
}

type Tell = (event: string, data: () => object) => void;

const LOOK_MS = 1000;
/** Number of recent events of each kind that are checked for changes by other nodes. */
const LATEST = 20;

/**
 * Tells open pages what all nodes do. Nodes only share the database, so this polls it.
 * @returns a function that starts watching and returns a function to stop it.
 */
export function watchingNodes({ requests, runs, interact }: Searched, onError: (failure: unknown) => void) {
  /** Event name → the latest events of that kind, newest first. */
  const sources = {
    request: async () => (await requests({ limit: LATEST })).data.map(showRequest),
    async job() {
      const { data } = await searchJobs(runs.stores, { limit: LATEST });
      return Promise.all(data.map(showJob));
    },
    session: () => interact.latest(LATEST),
  };
  return (tell: Tell) => watchAll(Object.entries(sources), tell, onError);
}

type Source = readonly [event: string, latest: () => Promise<readonly { readonly id: string }[]>];

function watchAll(sources: readonly Source[], tell: Tell, onError: (failure: unknown) => void): () => void {
  const known = new Map<string, ReadonlyMap<string, string>>();
  const look = async () => {
    for (const [event, latest] of sources) {
      const found = new Map((await latest()).map((one) => [one.id, one]));
      const texts = new Map([...found].map(([id, one]) => [id, JSON.stringify(one)]));
      const before = known.get(event);
      known.set(event, texts);
      // The first poll only finds events from before the watch began.
      if (!before) continue;
      for (const [id, one] of [...found].toReversed())
        if (before.get(id) !== texts.get(id)) tell(event, () => one);
    }
  };
  const looking = repeat(LOOK_MS, look, onError);
  return () => void looking.stop();
}
