import { wordsOf } from "@pergamon-dev/facts/answers/words";
import type { HintedPage, TextSearch } from "@pergamon-dev/facts/extraction/hints";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { FileParts } from "../../fetch/file-kinds/kind.ts";
import { re2 } from "../../fetch/urls/patterns.ts";
import { programSizeOf } from "../../fetch/urls/program-size.ts";

/** Maximum instructions of one pattern. */
const MAX_SIZE = 500;

/** The whole page, for hints. Of a redacted page only what its Markdown still has is shown. */
export function hintedPage(parts: FileParts): HintedPage {
  const shown = lazy(() => ` ${wordsOf(parts.markdown()).join(" ")} `);
  return {
    tree: parts.tree(),
    baseUrl: parts.baseUrl(),
    compile,
    isShown: (text) => !parts.isRedacted || shown().includes(` ${wordsOf(text).join(" ")} `),
  };
}

/** Patterns have the syntax of RE2, whose matching time is linear in the length of the text. */
function compile(pattern: string): TextSearch | undefined {
  const size = programSizeOf(pattern);
  if (size > MAX_SIZE) return undefined;
  const { RE2JS, RE2JSException } = re2();
  try {
    const program = RE2JS.compile(pattern);
    return {
      size,
      search(text) {
        const matcher = program.matcher(text);
        return matcher.find() ? (matcher.group(Math.min(1, matcher.groupCount())) ?? undefined) : undefined;
      },
    };
  } catch (failure) {
    if (failure instanceof RE2JSException) return undefined;
    throw failure;
  }
}
