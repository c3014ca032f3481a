import { ownProperty } from "@pergamon-dev/kit/own-property";
import { type HtmlTree, TEXT } from "../parser/tree.ts";

/** Deeper formulas are written as their symbols. */
const MAX_DEPTH = 100;
const MAX_NODES = 20_000;

/** Signs and letters → commands. Any other character is written as it is. */
const COMMANDS: ReadonlyMap<string, string> = new Map(
  `α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu
  ξ xi π pi ρ rho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda
  Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ∑ sum ∏ prod ∐ coprod ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ⨁ bigoplus ⨂ bigotimes ∫ int ∬ iint ∭ iiint
  ∮ oint ∯ oiint ∰ oiiint ∞ infty ∂ partial ∇ nabla ± pm ∓ mp
  × times ÷ div · cdot ⋅ cdot ∗ ast ≤ leq ≥ geq ≠ neq ≈ approx ≅ cong ≐ doteq ∥ Vert ⊥ perp ⟂ perp ∠ angle ∴ therefore ∵ because ≡ equiv ∼ sim ≃ simeq ∝ propto ≪ ll ≫ gg → to ← leftarrow
  ↔ leftrightarrow ↑ uparrow ↓ downarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ⇌ rightleftharpoons
  ↦ mapsto ∈ in ∉ notin ⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ∖ setminus \\ backslash ~ sim ∪ cup ∩ cap ∅ emptyset
  ∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee ⊕ oplus ⊗ otimes ⊙ odot ∘ circ ⋆ star • bullet … ldots ⋯ cdots ⋮ vdots ⋱ ddots ⟨ langle ⟩ rangle ⌈ lceil
  ⌉ rceil ⌊ lfloor ⌋ rfloor ‖ Vert ′ prime ℏ hbar ℓ ell ℵ aleph ℜ Re ℑ Im`
    .trim()
    .split(/\s+/)
    .flatMap((sign, at, all): [string, string][] => (at % 2 === 0 ? [[sign, `\\${all[at + 1] ?? ""}`]] : [])),
);
const FUNCTIONS =
  /^(?:sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|tanh|exp|log|ln|lg|lim|limsup|liminf|max|min|sup|inf|det|dim|ker|gcd|arg|deg|Pr)$/;
/** Operators of which LaTeX sets the limits above and below. */
const WITH_LIMITS =
  /^(?:\\(?:sum|(?:co)?prod|big[a-z]+|[io]+nt|lim(?:sup|inf)?|max|min|sup|inf|det|gcd|Pr)(?![a-z]))+$/;
const NAMED_LIMITS = /^\\(?:operatorname\*|overbrace|underbrace)\{/;
/** Arrows that grow with the words above or below them. */
const ARROWS: Readonly<Record<string, string>> = { "\\to": "\\xrightarrow", "\\leftarrow": "\\xleftarrow" };
/** Letters of other alphabets → commands. Any other such letter is written as the plain one. */
const ALPHABETS: readonly (readonly [letters: RegExp, command: string])[] = [
  [/^[𝐀-𝐳𝟎-𝟗]$/u, "mathbf"],
  [/^[𝒜-𝓏ℬℰℱℋℐℒℳℛ]$/u, "mathcal"],
  [/^[𝔄-𝔷ℭℌℨ]$/u, "mathfrak"],
  [/^[𝔸-𝕫𝟘-𝟡ℂℍℕℙℚℝℤ]$/u, "mathbb"],
  [/^[𝖠-𝗓𝟢-𝟫]$/u, "mathsf"],
  [/^[𝙰-𝚣𝟶-𝟿]$/u, "mathtt"],
  [/^[𝑨-𝒛𝜜-𝝕]$/u, "boldsymbol"],
];
const VARIANTS: Readonly<Record<string, string>> = {
  bold: "mathbf",
  script: "mathcal",
  fraktur: "mathfrak",
  "double-struck": "mathbb",
  "sans-serif": "mathsf",
  monospace: "mathtt",
  "bold-italic": "boldsymbol",
};
/** Names of parts that MathJax draws and that say nothing. */
const DRAWN = /^(?:nstrut|dstrut|line|surd|spacer|annotation.*|mphantom|stretchy-v|itable-.*|assistive-mml)$/;
/** White space that multiplies, applies or parts. */
const INVISIBLE = /[\u2061-\u2064\u200b\s]+/gu;

/** Accents → commands: for one letter, and for more. */
const ABOVE = commandsOf([
  ["^ˆ\u0302", "hat", "widehat"],
  ["~˜\u0303", "tilde", "widetilde"],
  ["¯ˉ‾\u0304", "bar", "overline"],
  ["―\u0305", "overline"],
  ["→\u20D7", "vec", "overrightarrow"],
  ["←\u20D6", "overleftarrow"],
  ["↔\u20E1", "overleftrightarrow"],
  ["˙\u0307", "dot"],
  ["¨\u0308", "ddot"],
  ["…\u20DB", "dddot"],
  ["´ˊ\u0301", "acute"],
  ["`ˋ\u0300", "grave"],
  ["˘\u0306", "breve"],
  ["ˇ\u030C", "check"],
  ["⏞", "overbrace"],
]);
const BELOW = commandsOf([
  ["_¯‾\u0332", "underline"],
  ["⏟", "underbrace"],
  ["→", "xrightarrow"],
  ["←", "xleftarrow"],
]);

type Accents = ReadonlyMap<string, readonly [one: string, more: string]>;

function commandsOf(list: readonly (readonly [signs: string, one: string, more?: string])[]): Accents {
  return new Map(
    list.flatMap(([signs, one, more = one]) =>
      Array.from(signs, (sign) => [symbols(sign), [one, more]] as const),
    ),
  );
}

/** The LaTeX of presentation MathML, and of the elements with which MathJax draws the same (`mjx-mfrac`). */
export function latexOf(tree: HtmlTree, node: number): string {
  if ((tree.end[node] ?? 0) - node > MAX_NODES) return "";
  return tidy(rowOf(tree, node, 0));
}

function rowOf(tree: HtmlTree, node: number, depth: number): string {
  return rowFrom(partsOf(tree, node).map((part) => partOf(tree, part, depth + 1)));
}

const OPENING = /^(?:[([]|\\(?:\{|langle|lceil|lfloor))$/;
const CLOSING = /^(?:[)\]]|\\(?:\}|rangle|rceil|rfloor))$/;
const BAR = /^(?:\||\\Vert)$/;
const TALL =
  /\\(?:genfrac|frac|begin|left|sum|(?:co)?prod|[io]+nt|big[a-z]+|overbrace|underbrace|overset|underset|xrightarrow)(?![a-z])/;
/** Brackets around nothing but a matrix → the environment that has both. */
const MATRICES: Readonly<Record<string, string>> = {
  "()": "pmatrix",
  "[]": "bmatrix",
  "\\{\\}": "Bmatrix",
  "||": "vmatrix",
  "\\Vert\\Vert": "Vmatrix",
};

/** A row whose brackets are as tall as what they hold. */
function rowFrom(parts: readonly string[]): string {
  const grown = [...parts];
  const tallBefore = [0];
  for (const part of parts) tallBefore.push((tallBefore.at(-1) ?? 0) + (TALL.test(part) ? 1 : 0));
  const grow = (from: number, to: number) => {
    if (tallBefore[to] === tallBefore[from + 1]) return;
    const environment = to - from === 2 ? bracketed(parts.slice(from)) : undefined;
    if (environment !== undefined) grown.splice(from, 3, environment, "", "");
    else [grown[from], grown[to]] = [`\\left${parts[from] || "."}`, `\\right${parts[to] || "."}`];
  };
  const open: number[] = [];
  for (const [at, part] of parts.entries()) {
    if (OPENING.test(part)) open.push(at);
    const from = CLOSING.test(part) ? open.pop() : undefined;
    if (from !== undefined) grow(from, at);
  }
  // A row of its own has bars, or one bracket or bar, around all of it.
  const bars = parts.filter((part) => BAR.test(part)).length;
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  const isBarred = BAR.test(last) && (bars === 1 || (bars === 2 && BAR.test(first)));
  if (isBarred && bars === 1 && first !== "") return rowFrom(["", ...parts]);
  const isOneSided = (first === "" && CLOSING.test(last)) || (last === "" && open[0] === 0);
  if ((isBarred || isOneSided) && parts.length > 2) grow(0, parts.length - 1);
  return joined(grown);
}

function bracketed([open = "", inner = "", close = ""]: readonly string[]): string | undefined {
  const [, kind, lines = ""] = /^\\begin\{(matrix|aligned)\}(.*)\\end\{\1\}$/s.exec(inner) ?? [];
  if (kind === undefined || !isOnePair(inner, /(\\begin\{)|(\\end\{\w+\})/g)) return undefined;
  const isCases = open === "\\{" && close === "" && !/&(?:(?!\\\\).)*&/.test(lines);
  const name = isCases ? "cases" : kind === "matrix" ? ownProperty(MATRICES, open + close) : undefined;
  return name === undefined ? undefined : `\\begin{${name}}${lines}\\end{${name}}`;
}

/** @param marks those that open are its first group, those that close its second */
function isOnePair(latex: string, marks: RegExp): boolean {
  let depth = 0;
  for (const { 0: mark, 1: opens, 2: closes, index } of latex.matchAll(marks)) {
    depth += opens === undefined ? 0 : 1;
    if (closes !== undefined && --depth === 0) return index + mark.length === latex.length;
  }
  return false;
}

/** A command needs white space before a letter. */
function joined(parts: readonly string[]): string {
  let line = "";
  for (const part of parts) line += /\\[a-z]+$/i.test(line) && /^[a-z]/i.test(part) ? ` ${part}` : part;
  return line;
}

/** Children that show something: elements, and texts where there are no elements. */
function partsOf(tree: HtmlTree, node: number): readonly number[] {
  const end = tree.end[node] ?? 0;
  const parts: number[] = [];
  for (let child = node + 1; child < end; child = tree.end[child] ?? end) {
    if (tree.tag[child] === TEXT ? !tree.isBlank(child) : !DRAWN.test(nameOf(tree, child))) parts.push(child);
  }
  return parts;
}

function nameOf(tree: HtmlTree, node: number): string {
  return tree.nameOf(node).replace(/^mjx-/, "");
}

type Writer = (parts: readonly string[], tree: HtmlTree, node: number) => string | undefined;

const WRITERS: Readonly<Record<string, Writer>> = {
  mfrac([over = "", under], tree, node) {
    if (under === undefined) return undefined;
    return hasLine(tree, node) ? `\\frac{${over}}{${under}}` : `\\genfrac{}{}{0pt}{}{${over}}{${under}}`;
  },
  msqrt: (parts) => `\\sqrt{${rowFrom(parts)}}`,
  mroot: ([base, index]) => `\\sqrt[${index ?? ""}]{${base ?? ""}}`,
  msup: ([base, above]) => script(base, [["^", above]]),
  msub: ([base, below]) => script(base, [["_", below]]),
  msubsup: ([base, below, above]) =>
    script(base, [
      ["_", below],
      ["^", above],
    ]),
  munder: ([base, below]) => accent(BELOW, base, below) ?? limits(base, below),
  mover: ([base, above]) => accent(ABOVE, base, above) ?? limits(base, "", above),
  munderover: ([base, below, above]) => limits(base, below, above),
  mtable(parts, tree, node) {
    const name = /^\s*right\s+left/.test(tree.attribute(node, "columnalign") ?? "") ? "aligned" : "matrix";
    return `\\begin{${name}}${parts.join(" \\\\ ")}\\end{${name}}`;
  },
  mtr: (parts) => parts.join(" & "),
  mlabeledtr: (parts) => parts.slice(1).join(" & "),
  menclose(parts, tree, node) {
    const kinds = tree.attribute(node, "notation") ?? "";
    const command = ENCLOSURES.find(([kind]) => kind.test(kinds))?.[1];
    return command === undefined ? undefined : `\\${command}{${rowFrom(parts)}}`;
  },
  mfenced: (parts, tree, node) =>
    rowFrom([
      symbols(tree.attribute(node, "open") ?? "("),
      parts.join(","),
      symbols(tree.attribute(node, "close") ?? ")"),
    ]),
};

const ENCLOSURES: readonly (readonly [kinds: RegExp, command: string])[] = [
  [/box/, "boxed"],
  [/top|overline/, "overline"],
  [/bottom|underline/, "underline"],
  [/updiagonalstrike/, "cancel"],
  [/downdiagonalstrike/, "bcancel"],
];

/** Whether a line parts the two: binomials have none. */
function hasLine(tree: HtmlTree, node: number): boolean {
  if (/^0(?:\.0*)?\D*$/.test(tree.attribute(node, "linethickness") ?? "")) return false;
  return tree.nameOf(node + 1) !== "mjx-frac" || tree.attribute(node + 1, "atop") === undefined;
}

function script(base = "", scripts: readonly (readonly [sign: string, text: string | undefined])[]): string {
  const isOne =
    /^(?:.|\\[a-z]+|[({[|].*[)}\]|]|\\left.*\\right[)}\]|]|\d+)$/iu.test(base) || isOneGroup(base);
  const around = isOne ? base : `{${base}}`;
  return (
    around +
    scripts
      .map(([sign, text = ""]) => (text === "" ? "" : `${sign}${/^.$/u.test(text) ? text : `{${text}}`}`))
      .join("")
  );
}

/** Whether it is one command with one argument, such as `\hat{x}`. */
function isOneGroup(latex: string): boolean {
  return /^\\[a-z]+\*?\{/i.test(latex) && isOnePair(latex, /\\[{}]|(\{)|(\})/g);
}

/** What stands above and below a sign, which is beside letters with `^` and `_`. */
function limits(base = "", under = "", over = ""): string {
  // Space that makes an arrow longer.
  const [below = "", above = ""] = [under, over].map((part) => (part === "\\quad" ? "" : part));
  const named = base.replace(/^\\(?:mathrm|operatorname)(?=\{[^{}]*\}$)/, "\\operatorname*");
  if (WITH_LIMITS.test(named) || (NAMED_LIMITS.test(named) && isOneGroup(named)))
    return script(named, [
      ["_", below],
      ["^", above],
    ]);
  const arrow = ownProperty(ARROWS, base);
  if (arrow !== undefined) return `${arrow}${below === "" ? "" : `[${below}]`}{${above}}`;
  if (/^\\x(?:right|left)arrow\{/.test(base) && isOneGroup(base) && below !== "" && above === "")
    return base.replace("{", `[${below}]{`);
  const lower = below === "" ? base : `\\underset{${below}}{${base}}`;
  return above === "" ? lower : `\\overset{${above}}{${lower}}`;
}

function accent(accents: Accents, base = "", sign = ""): string | undefined {
  const names = accents.get(sign);
  if (names === undefined) return undefined;
  return `\\${/^(?:.|\\[a-z]+|\\math[a-z]+\{.\})$/iu.test(base) ? names[0] : names[1]}{${base}}`;
}

function partOf(tree: HtmlTree, node: number, depth: number): string {
  if (tree.tag[node] === TEXT) return symbols(tree.text(node));
  if (depth > MAX_DEPTH) return symbols(tree.textContent(node));
  const name = nameOf(tree, node);
  if (name === "mtext" || name === "ms") return textOf(tree, node);
  // Narrower space says nothing.
  if (name === "mspace")
    return /^(?:[1-9]\d*(?:\.\d+)?|0?\.[89]\d*)em$/.test(tree.attribute(node, "width") ?? "") ? "\\quad" : "";
  if (/^(?:m[ino]|c)$/.test(name) && !holdsRow(tree, node)) return signOf(tree, node, name);
  const write = ownProperty(WRITERS, name);
  if (!write) return rowOf(tree, node, depth);
  const parts = operandsOf(tree, node, name).map((part) => partOf(tree, part, depth + 1));
  return write(parts, tree, node) ?? joined(parts);
}

/** KaTeX puts what it draws as one sign into a sign. */
function holdsRow(tree: HtmlTree, node: number): boolean {
  const [first] = partsOf(tree, node);
  return first !== undefined && /^m[a-z]+$/.test(nameOf(tree, first));
}

function signOf(tree: HtmlTree, node: number, name: string): string {
  const shown = symbols(shownOf(tree, node));
  const look = tree.attribute(node, "mathvariant") ?? "normal";
  if (name !== "mn" && look === "normal" && /^\p{sc=Latin}{2,}$/u.test(shown))
    return longName(tree, node, shown);
  const variant = ownProperty(VARIANTS, look);
  if (variant === undefined || /^\\(?:math|bold)/.test(shown)) return shown;
  return `\\${look === "bold" && shown.startsWith("\\") ? "boldsymbol" : variant}{${shown}}`;
}

/** A name of more than one letter: of a function, if it is applied, else of a value. */
function longName(tree: HtmlTree, node: number, name: string): string {
  const next = tree.end[node] ?? 0;
  const isApplied = next < tree.end.length && tree.textContent(next) === "\u2061";
  if (name === "mod") return "\\bmod";
  return `\\${isApplied || nameOf(tree, node) === "mo" ? "operatorname" : "mathrm"}{${name}}`;
}

/** Boxes in which MathJax draws the operands of a formula, in the order of MathML. */
const DRAWN_OPERANDS: Readonly<Record<string, readonly string[]>> = {
  mfrac: ["num", "den"],
  mover: ["base", "over"],
  munder: ["base", "under"],
  munderover: ["base", "under", "over"],
};

function operandsOf(tree: HtmlTree, node: number, name: string): readonly number[] {
  const parts = partsOf(tree, node);
  if (!tree.nameOf(node).startsWith("mjx-")) return parts;
  const names = ownProperty(DRAWN_OPERANDS, name);
  const boxes = names?.map((box) => firstNamed(tree, node, `mjx-${box}`)) ?? [];
  if (boxes.length > 0 && boxes.every((box) => box >= 0)) return boxes;
  // A script with two parts is drawn from above: first the power, then a gap, then the index.
  const [base, scripts] = parts;
  if (name === "msubsup" && base !== undefined && scripts !== undefined)
    return [base, ...[...partsOf(tree, scripts)].reverse()];
  return parts;
}

function firstNamed(tree: HtmlTree, node: number, name: string): number {
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) if (tree.nameOf(inner) === name) return inner;
  return -1;
}

/** The characters of a symbol. MathJax may name them in a class alone: `mjx-c1D451`. */
function shownOf(tree: HtmlTree, node: number): string {
  const text = tree.textContent(node);
  if (text.trim() !== "") return text;
  const end = tree.end[node] ?? 0;
  let shown = "";
  for (let inner = node; inner < end; inner++) {
    const code = /(?:^|\s)mjx-c([\dA-F]{2,5})(?:\s|$)/.exec(tree.attribute(inner, "class") ?? "")?.[1];
    if (code !== undefined) shown += String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
  }
  return shown;
}

function textOf(tree: HtmlTree, node: number): string {
  const text = shownOf(tree, node).replace(/\s+/g, " ");
  return text.trim() === "" ? "\\ " : `\\text{${text.replace(/[{}\\$%#&_^~]/g, inText)}}`;
}

function inText(sign: string): string {
  return (
    ownProperty({ "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}" }, sign) ??
    `\\${sign}`
  );
}

function symbols(text: string): string {
  const plain = text.normalize("NFKC").replace(INVISIBLE, "");
  if (FUNCTIONS.test(plain)) return `\\${plain}`;
  const signs = Array.from(text.replace(INVISIBLE, "").replaceAll("∣", "|"));
  return joined(signs.flatMap((sign) => COMMANDS.get(sign) ?? inAlphabet(sign) ?? plainSigns(sign)));
}

/** A sign may stand for several, such as a double prime. */
function plainSigns(sign: string): readonly string[] {
  const plain = Array.from(sign.normalize("NFKC"));
  return plain.map((one) => COMMANDS.get(one) ?? (/^[{}%&#$_]$/.test(one) ? `\\${one}` : one));
}

function inAlphabet(sign: string): string | undefined {
  const command = ALPHABETS.find(([letters]) => letters.test(sign))?.[1];
  return command === undefined ? undefined : `\\${command}{${sign.normalize("NFKC")}}`;
}

function tidy(latex: string): string {
  return latex.replaceAll("\u2212", "-").replace(/ {2,}/g, " ").trim();
}
