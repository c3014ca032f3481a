import { repeat } from "@pergamon-dev/kit/repeat";

/** One kind of event for open pages, as the database has it. */
interface NewsSource {
  /** Name of the event. */
  readonly event: string;
  /** The latest, newest first. */
  readonly latest: () => Promise<readonly { readonly id: string }[]>;
}

const LOOK_MS = 1000;

/**
 * Tells what all nodes do: they share nothing but the database, so that is looked at again and again.
 * @returns what ends it.
 */
export function watchAllNodes(
  sources: readonly NewsSource[],
  tell: (event: string, data: () => object) => void,
  onError: (failure: unknown) => void,
): () => void {
  const known = new Map<string, ReadonlyMap<string, string>>();
  const look = async () => {
    for (const { event, latest } of sources) {
      const found = new Map((await latest()).map((one) => [one.id, one]));
      const texts = new Map([...found].map(([id, one]) => [id, JSON.stringify(one)]));
      const before = known.get(event);
      known.set(event, texts);
      // The first look tells what there was before.
      if (!before) continue;
      for (const [id, one] of [...found].toReversed())
        if (before.get(id) !== texts.get(id)) tell(event, () => one);
    }
  };
  const looking = repeat(LOOK_MS, look, onError);
  return () => void looking.stop();
}
