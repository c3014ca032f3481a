import { z } from "zod";

import { choice, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

/** Interactions of callers with scraped pages. */
export const interact = definePart({
  title: "Interact",
  settings: z.object({
    INTERACT_CODE: choice("auto", "box", "wasm", "off")
      .default("auto")
      .describe(
        "how code of callers runs: `box`, in a sandbox of Linux namespaces, with Node, Python and a shell; `wasm`, in a WebAssembly interpreter, with JavaScript and the commands of `agent-browser`; `auto`, in a sandbox if it passes all escape tests on this machine, else `wasm`; `off`, never",
      ),
    INTERACT_SESSIONS: wholeNumber({ most: 1000 })
      .default(10)
      .describe("maximum browser sessions in this process; each uses 50 to 200 MB"),
  }),
  derive: (settings) => ({
    code: settings.INTERACT_CODE,
    maxSessions: settings.INTERACT_SESSIONS,
  }),
});
