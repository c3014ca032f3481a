import { afterEach, expect, test, vi } from "vitest";

import { readHtml } from "./snapshot.ts";
import type { BrowserTab } from "./tab.ts";

afterEach(() => vi.restoreAllMocks());

test("a tab that answers nothing, not even that its scripts were halted, is hung", async () => {
  const over = AbortSignal.abort(new DOMException("Too late.", "TimeoutError"));
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(over);
  const halt = vi.fn(() => Promise.reject(over.reason as Error));
  const session = { send: () => Promise.reject(over.reason as Error) };
  const tab = { session, halt } as unknown as BrowserTab;
  await expect(readHtml(tab, new AbortController().signal)).rejects.toMatchObject({ kind: "tab-hung" });
  expect(halt).toHaveBeenCalled();
});
