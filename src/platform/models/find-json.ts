import { jsonrepair } from "jsonrepair";

const THOUGHTS = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;
const FENCED = /```(?:json5?|jsonc)?[^\S\n]*\n?([\s\S]*?)```/i;

/**
 * The JSON value in what a model said: without its thoughts, fences and prose, small faults of syntax mended. Undefined
 * when there is none, or it is not closed: half an answer is none.
 */
export function findJson(said: string): unknown {
  const spoken = said.replace(THOUGHTS, "").trim();
  const text = FENCED.exec(spoken)?.[1]?.trim() ?? spoken;
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  if (start === -1 || end <= start) return undefined;
  const candidate = text.slice(start, end);
  return parsedBy(JSON.parse, candidate) ?? (isClosed(candidate) ? parsedBy(repaired, candidate) : undefined);
}

function repaired(text: string): unknown {
  return JSON.parse(jsonrepair(text));
}

function parsedBy(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Whether as many brackets close as open; what stands in strings may make it say no. */
function isClosed(text: string): boolean {
  const opened = text.match(/[{[]/g)?.length ?? 0;
  return opened === (text.match(/[}\]]/g)?.length ?? 0);
}
