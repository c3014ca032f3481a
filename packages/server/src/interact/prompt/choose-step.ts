import { z } from "zod";

import type { Checked, ModelQuestion } from "../../storage/models/ask-endpoint.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { SCHEMA, type ShownStep, SYSTEM, userText } from "./instructions.ts";
import { promptTools, type ToolName, type ToolTools } from "./tools.ts";

/** What a model wants done next. */
export type Choice =
  | { readonly tool: "done"; readonly answer: string; readonly success: boolean }
  | {
      readonly tool: ToolName;
      /** In words, for the model to be reminded of. */
      readonly action: string;
      run(tools: ToolTools): Promise<string>;
    };

const Reply = z.object({
  tool: z.string(),
  ref: z.string().nullish(),
  text: z.union([z.string(), z.number().transform(String)]).nullish(),
  success: z.boolean().nullish(),
});

/** An answer takes a few words. */
const MAX_OUTPUT_TOKENS = 2000;

export interface StepQuestion extends ShownStep {
  /** Whether the look showed this reference. */
  readonly hasRef: (ref: string) => boolean;
}

/** The question for the next step. Only a tool that there is, with what it needs, is an answer. */
export function stepQuestion({ hasRef, ...shown }: StepQuestion): ModelQuestion<Choice> {
  return {
    system: SYSTEM,
    user: userText(shown),
    schema: SCHEMA,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    check: (value) => checkReply(value, hasRef),
  };
}

function checkReply(value: unknown, hasRef: (ref: string) => boolean): Checked<Choice> {
  const parsed = Reply.safeParse(value);
  if (!parsed.success) return { problem: "It has to be an object with the member tool." };
  const { tool, success } = parsed.data;
  const text = parsed.data.text ?? undefined;
  if (tool === "done") return { answer: { tool, answer: text ?? "", success: success ?? true } };
  const ref = parsed.data.ref || undefined;
  return checkTool(tool, { text, ref }, hasRef);
}

interface Given {
  readonly text: string | undefined;
  readonly ref: string | undefined;
}

function checkTool(name: string, { text, ref }: Given, hasRef: (ref: string) => boolean): Checked<Choice> {
  const tool = ownProperty(promptTools, name);
  if (!tool) return { problem: `Unknown tool: ${JSON.stringify(name)}.` };
  const members = { ...(text !== undefined && { text }), ...(ref !== undefined && { ref }) };
  const input = tool.input.safeParse(members);
  if (!input.success) {
    const issues = input.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    return { problem: `${name} needs something else: ${issues.join("; ")}.` };
  }
  const wanted = (input.data as { readonly ref?: string }).ref;
  if (wanted !== undefined && !hasRef(wanted)) return { problem: `There is no ${wanted} on the page.` };
  const run = tool.run as (given: unknown, tools: ToolTools) => Promise<string>;
  const action = [name, wanted, text && JSON.stringify(text)].filter(Boolean).join(" ");
  return { answer: { tool: name as ToolName, action, run: (tools) => run(input.data, tools) } };
}
