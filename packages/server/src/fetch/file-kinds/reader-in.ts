import type { Kind } from "./kind.ts";

type Read = Kind["read"];

/**
 * Loads a reader with the first file of its kind. The main thread knows all kinds and rarely reads one, so
 * the code that turns pages into text is compiled only where pages are computed.
 */
export function readerIn(load: () => Promise<Read>): Read {
  let loaded: Read | undefined;
  return (source, tools) => {
    if (loaded) return loaded(source, tools);
    return load().then((read) => {
      loaded = read;
      return read(source, tools);
    });
  };
}
