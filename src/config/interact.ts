import { z } from "zod";

import { choice, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

/** What callers may do on the pages that their scrapes left. */
export const interact = definePart({
  title: "Interact",
  settings: z.object({
    INTERACT_CODE: choice("auto", "box", "wasm", "off")
      .default("auto")
      .describe(
        "how code of callers runs: `box`, in namespaces of Linux, with Node, Python and a shell; `wasm`, in an interpreter, with JavaScript and the commands of `agent-browser`; `auto`, in a box where one holds every attempt to get out of it, else `wasm`; `off`, not at all",
      ),
    INTERACT_SESSIONS: wholeNumber({ most: 1000 })
      .default(10)
      .describe("browser sessions at once in this process; each takes 50 to 200 MB"),
  }),
  derive: (settings) => ({
    code: settings.INTERACT_CODE,
    maxSessions: settings.INTERACT_SESSIONS,
  }),
});
