import { z } from "zod";

import { wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

/** Sessions on live pages. */
export const interact = definePart({
  title: "Sessions",
  settings: z.object({
    INTERACT_SESSIONS: wholeNumber({ most: 1000 })
      .default(10)
      .describe("browser sessions at once in this process; each takes 50 to 200 MB"),
  }),
  derive: (settings) => ({ mostSessions: settings.INTERACT_SESSIONS }),
});
