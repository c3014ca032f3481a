import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";

import type * as dialogs from "./go-to-dialog.tsx";

/** Whether the operator is being asked where to go. */
export const isGoToOpen = signal(false);

/** Opens with ⌘K or Ctrl K, wherever the focus is. */
export function GoTo() {
  const [late, setLate] = useState<typeof dialogs | undefined>(undefined);
  useEffect(() => {
    function open(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      isGoToOpen.value = !isGoToOpen.value;
    }
    addEventListener("keydown", open);
    return () => removeEventListener("keydown", open);
  }, []);
  useEffect(() => {
    if (isGoToOpen.value) void import("./go-to-dialog.tsx").then(setLate);
  }, [isGoToOpen.value]);
  return late && isGoToOpen.value ? <late.GoToDialog /> : null;
}
