import { z } from "zod";

import { limits } from "../../api/limits.ts";
import { PageScriptError } from "@pergamon-dev/browser/tab/page-script";
import { runScript } from "@pergamon-dev/browser/tab/run-script";
import { ActionFailure, defineAction } from "./action.ts";

export const executeJavascript = defineAction({
  options: z.object({
    type: z.literal("executeJavascript"),
    script: z
      .string()
      .max(limits.scriptLength)
      .describe("The script. Its value is its last expression or return value. Promises are awaited."),
  }),
  hasEffects: true,
  leaves: "javascriptReturns",
  intervenes: true,
  async run({ script }, { tab, results, signal }) {
    try {
      results.javascriptReturns.push(await runScript(tab, script, signal));
    } catch (failure) {
      if (!(failure instanceof PageScriptError)) throw failure;
      throw new ActionFailure("SCRIPT_ERROR", failure.message);
    }
  },
});
