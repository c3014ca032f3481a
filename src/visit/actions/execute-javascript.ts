import { z } from "zod";

import { limits } from "../../contract/limits.ts";
import { PageScriptError } from "../../platform/browser/tab/page-script.ts";
import { runScript } from "../../platform/browser/tab/run-script.ts";
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
