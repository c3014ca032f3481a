import { tagSet } from "../parser/tag-traits.ts";
import type { HtmlTree } from "../parser/tree.ts";
import { firstCode, labelBefore, labelWithin } from "./code-badge.ts";

const IS_CODE = tagSet("pre code");

const LANGUAGE_CLASS =
  /(?:^|\s)(?:language-|(?:[\w-]+-)?lang-|hljs\s+(?!lang)|highlight-source-|highlight-text-|highlight-|brush:\s*|sourceCode\s+)([\w+#.-]{1,30})/;
/** Languages that a class may name alone, or after a prefix of the highlighter. */
const KNOWN_LANGUAGE =
  /(?:^|\s)(?:[a-z]{2,8}-)?(bash|clojure|cpp|csharp|css|dart|diff|dockerfile|elixir|erlang|golang|graphql|groovy|haskell|html|ini|java|javascript|js|json|jsx|julia|kotlin|latex|lua|makefile|matlab|nginx|objectivec|ocaml|perl|php|powershell|python|ruby|rust|sass|scala|scss|sh|shell|sql|swift|toml|tsx|typescript|vue|xml|yaml|yml|zsh)(?:$|\s)/i;
/** Names of highlighters, beside which a class may name the language of the code inside. */
const HIGHLIGHTER = /(?:^|\s)(?:highlight|syntaxhighlighter|code-?block|prettyprint|sourceCode)(?:\s|$)/;
/** Values of `lang` on code that name a programming language rather than a natural one. */
const LANG_OF_CODE =
  /^(?:bash|c|c\+\+|cpp|csharp|css|diff|dockerfile|go|golang|graphql|html|ini|java|javascript|js|json|jsx|kotlin|markdown|php|powershell|py|python|r|rb|ruby|rs|rust|scala|scss|shell|sql|swift|toml|ts|tsx|typescript|vue|xml|yaml|yml|zsh)$/;
const NO_LANGUAGE = /^(?:none|wrap|default|notranslate|plaintext|plain|text|txt|block|wrapper|box|lines?)$/i;

/** Levels above the code at which a class may name the language. */
const MAX_LANGUAGE_LEVELS = 3;

/** The language that a class, an attribute or a label next to the code names; "" when none does. */
export function languageOf(tree: HtmlTree, node: number): string {
  return (
    languageOfAttributes(tree, node) || (labelWithin(tree, node) ?? "") || (labelBefore(tree, node) ?? "")
  );
}

function languageOfAttributes(tree: HtmlTree, node: number): string {
  const inner = firstCode(tree, node);
  let language = inner < 0 ? "" : languageAt(tree, inner);
  let element = node;
  for (let level = 0; level <= MAX_LANGUAGE_LEVELS && language === "" && element > 0; level++) {
    language = languageAt(tree, element);
    element = tree.parent[element] ?? -1;
  }
  return language;
}

function languageAt(tree: HtmlTree, node: number): string {
  const className = tree.attribute(node, "class") ?? "";
  const named =
    LANGUAGE_CLASS.exec(className)?.[1] ??
    (IS_CODE[tree.tag[node] ?? 0] === 1 || HIGHLIGHTER.test(className)
      ? KNOWN_LANGUAGE.exec(className)?.[1]
      : undefined) ??
    tree.attribute(node, "data-lang") ??
    tree.attribute(node, "data-language") ??
    tree.attribute(node, "data-code-language") ??
    tree.attribute(node, "data-enlighter-language") ??
    tree.attribute(node, "language") ??
    languageOfLang(tree, node) ??
    "";
  return NO_LANGUAGE.test(named) || !/^[\w+#.-]{1,30}$/.test(named) ? "" : named.toLowerCase();
}

/** `lang` names a natural language, except on code: `<pre lang="sql">`. */
function languageOfLang(tree: HtmlTree, node: number): string | undefined {
  if (IS_CODE[tree.tag[node] ?? 0] !== 1) return undefined;
  const lang = tree.attribute(node, "lang")?.trim().toLowerCase();
  return lang !== undefined && LANG_OF_CODE.test(lang) ? lang : undefined;
}
