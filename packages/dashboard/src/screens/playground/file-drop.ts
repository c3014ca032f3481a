import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";

/** The file that is to be read. It outlives the screen, as the request does. */
export const file = signal<File | undefined>(undefined);

/**
 * Takes files that are dropped anywhere on the screen.
 * @returns whether one is held over it.
 */
export function useFileDrop(onDrop: () => void): boolean {
  const [isHeld, setHeld] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const listening = new AbortController();
    // Also where a part of the screen is left for another one, which is entered before.
    let inside = 0;
    const on = (type: "dragenter" | "dragover" | "dragleave" | "drop", act: (event: DragEvent) => void) =>
      addEventListener(
        type,
        (event) => {
          if (!hasFiles(event)) return;
          // Else the browser opens the file instead of this page.
          event.preventDefault();
          act(event);
        },
        { signal: listening.signal },
      );
    on("dragenter", () => setHeld(++inside > 0));
    on("dragover", () => undefined);
    on("dragleave", () => setHeld(--inside > 0));
    on("drop", ({ dataTransfer }) => {
      inside = 0;
      setHeld(false);
      const [dropped] = dataTransfer?.files ?? [];
      if (!dropped) return;
      file.value = dropped;
      latest.current();
    });
    return () => listening.abort();
  }, []);
  return isHeld;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") === true;
}
