import type { Conversion } from "./conversion.ts";
import { mathSource, type MathSource } from "./math-source.ts";

/** `math`, and `script type="math/tex"`: `$…$` in a line, `$$…$$` on a line of its own. */
export function writeMath(conversion: Conversion, node: number): void {
  const source = mathSource(conversion.tree, node);
  if (source) writeSource(conversion, source);
}

function writeSource(conversion: Conversion, source: MathSource): void {
  if (!source.isDisplay) {
    conversion.run.verbatim(`$${source.tex}$`);
    return;
  }
  conversion.boundary();
  conversion.run.verbatim(`$$${source.tex}$$`);
  conversion.boundary();
}
