import type { TextRun } from "./laid-out-page.ts";
import { seamOf } from "./text/characters.ts";
import type { TextLine } from "./text-line.ts";

/** The runs of lines that are one text: hyphens at their ends closed, neighbours that look alike joined. */
export function textRuns(lines: readonly TextLine[]): TextRun[] {
  const runs: TextRun[] = [];
  let text = "";
  for (const line of lines) {
    const { dropsHyphen, space } = seamOf(text, line.text);
    if (dropsHyphen) dropLastCharacter(runs);
    line.runs.forEach((run, at) => append(runs, { ...run, text: at === 0 ? space + run.text : run.text }));
    text = line.text;
  }
  return runs.map((run) => ({ ...run, text: run.text.replaceAll("\u00ad", "") }));
}

function append(runs: TextRun[], { text, isBold, isItalic, isMonospaced, script, url }: TextRun): void {
  const run = { text, isBold, isItalic, isMonospaced, script, url };
  const before = runs.at(-1);
  if (before && isAlike(before, run)) runs[runs.length - 1] = { ...before, text: before.text + text };
  else runs.push(run);
}

function isAlike(a: TextRun, b: TextRun): boolean {
  const isSameLook = a.isBold === b.isBold && a.isItalic === b.isItalic && a.isMonospaced === b.isMonospaced;
  return isSameLook && a.script === b.script && a.url === b.url;
}

function dropLastCharacter(runs: TextRun[]): void {
  const last = runs.pop();
  if (last) runs.push({ ...last, text: last.text.slice(0, -1) });
}

/** Runs without the first characters. */
export function runsFrom(runs: readonly TextRun[], start: number): TextRun[] {
  let skipped = start;
  return runs.flatMap((run) => {
    const text = run.text.slice(skipped);
    skipped = Math.max(0, skipped - run.text.length);
    return text === "" ? [] : [{ ...run, text }];
  });
}
