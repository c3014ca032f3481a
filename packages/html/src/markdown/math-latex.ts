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
  × times ÷ div · cdot ⋅ cdot ∗ ast ≤ le ≥ ge ≠ ne ≈ approx ≡ equiv ∼ sim ≃ simeq ∝ propto ≪ ll ≫ gg → to ← leftarrow
  ↔ leftrightarrow ⇒ Rightarrow ⇔ Leftrightarrow ↦ mapsto ∈ in ∉ notin ⊂ subset ⊆ subseteq ⊃ supset ∪ cup ∩ cap ∅ emptyset
  ∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee ⊕ oplus ⊗ otimes ∘ circ … ldots ⋯ cdots ⋮ vdots ⋱ ddots ⟨ langle ⟩ rangle ⌈ lceil
  ⌉ rceil ⌊ lfloor ⌋ rfloor ‖ Vert ′ prime ℏ hbar ℓ ell`
    .trim()
    .split(/\s+/)
    .flatMap((sign, at, all): [string, string][] => (at % 2 === 0 ? [[sign, `\\${all[at + 1] ?? ""}`]] : [])),
);
const FUNCTIONS =
  /^(?:sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|tanh|exp|log|ln|lg|lim|max|min|sup|inf|det|dim|ker|gcd|arg|deg|Pr)$/;
/** Accents above or below → commands. */
const ACCENTS: ReadonlyMap<string, string> = new Map(
  [
    ["^", "hat"],
    ["ˆ", "hat"],
    ["~", "tilde"],
    ["˜", "tilde"],
    ["¯", "overline"],
    ["‾", "overline"],
    ["―", "overline"],
    ["→", "vec"],
    ["˙", "dot"],
    ["¨", "ddot"],
    ["⏞", "overbrace"],
    ["⏟", "underbrace"],
    ["_", "underline"],
  ].map(([sign = "", name = ""]) => [sign.normalize("NFKC"), name]),
);
/** Letters of other alphabets → commands. Any other such letter is written as the plain one. */
const ALPHABETS: readonly (readonly [letters: RegExp, command: string])[] = [
  [/^[𝐀-𝐳𝟎-𝟗]$/u, "mathbf"],
  [/^[𝒜-𝓏ℬℰℱℋℐℒℳℛ]$/u, "mathcal"],
  [/^[𝔄-𝔷ℭℌℨ]$/u, "mathfrak"],
  [/^[𝔸-𝕫𝟘-𝟡ℂℍℕℙℚℝℤ]$/u, "mathbb"],
];
const VARIANTS: Readonly<Record<string, string>> = {
  bold: "mathbf",
  script: "mathcal",
  fraktur: "mathfrak",
  "double-struck": "mathbb",
};
/** Names of parts that MathJax draws and that say nothing. */
const DRAWN =
  /^(?:nstrut|dstrut|line|surd|mspace|spacer|annotation.*|mphantom|stretchy-v|itable-.*|assistive-mml)$/;
/** White space that multiplies, applies or parts. */
const INVISIBLE = /[\u2061-\u2064\u200b\s]+/gu;

/** The LaTeX of presentation MathML, and of the elements with which MathJax draws the same (`mjx-mfrac`). */
export function latexOf(tree: HtmlTree, node: number): string {
  if ((tree.end[node] ?? 0) - node > MAX_NODES) return "";
  return tidy(rowOf(tree, node, 0));
}

function rowOf(tree: HtmlTree, node: number, depth: number): string {
  return joined(partsOf(tree, node).map((part) => partOf(tree, part, depth + 1)));
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
    return hasLine(tree, node) ? `\\frac{${over}}{${under}}` : `{${over} \\atop ${under}}`;
  },
  msqrt: (parts) => `\\sqrt{${joined(parts)}}`,
  mroot: ([base, index]) => `\\sqrt[${index ?? ""}]{${base ?? ""}}`,
  msup: ([base, above]) => script(base, [["^", above]]),
  msub: ([base, below]) => script(base, [["_", below]]),
  msubsup: ([base, below, above]) =>
    script(base, [
      ["_", below],
      ["^", above],
    ]),
  munder: ([base, below]) => accent(base, below) ?? script(base, [["_", below]]),
  mover: ([base, above]) => accent(base, above) ?? script(base, [["^", above]]),
  munderover: ([base, below, above]) =>
    script(base, [
      ["_", below],
      ["^", above],
    ]),
  mtable(parts, tree, node) {
    const name = /^\s*right\s+left/.test(tree.attribute(node, "columnalign") ?? "") ? "aligned" : "matrix";
    return `\\begin{${name}}${parts.join(" \\\\ ")}\\end{${name}}`;
  },
  mtr: (parts) => parts.join(" & "),
  mlabeledtr: (parts) => parts.slice(1).join(" & "),
  menclose(parts, tree, node) {
    const line = /top|overline|bottom|underline/.exec(tree.attribute(node, "notation") ?? "")?.[0] ?? "";
    if (line === "") return undefined;
    return `\\${/top|overline/.test(line) ? "overline" : "underline"}{${joined(parts)}}`;
  },
  mfenced(parts, tree, node) {
    const [open, close] = [tree.attribute(node, "open") ?? "(", tree.attribute(node, "close") ?? ")"];
    return `${open}${parts.join(",")}${close}`;
  },
};

/** Whether a line parts the two: binomials have none. */
function hasLine(tree: HtmlTree, node: number): boolean {
  if (/^0(?:\.0*)?\D*$/.test(tree.attribute(node, "linethickness") ?? "")) return false;
  return tree.nameOf(node + 1) !== "mjx-frac" || tree.attribute(node + 1, "atop") === undefined;
}

function script(
  base: string | undefined,
  scripts: readonly (readonly [sign: string, text: string | undefined])[],
): string {
  const around = /^(?:.|\\[a-z]+|[({[|].*[)}\]|]|\d+)$/iu.test(base ?? "") ? (base ?? "") : `{${base ?? ""}}`;
  return (
    around +
    scripts
      .map(([sign, text = ""]) => (text === "" ? "" : `${sign}${/^.$/u.test(text) ? text : `{${text}}`}`))
      .join("")
  );
}

function accent(base = "", sign = ""): string | undefined {
  const name = ACCENTS.get(sign) ?? (sign === "\\to" ? "vec" : undefined);
  return name === undefined ? undefined : `\\${name}{${base}}`;
}

function partOf(tree: HtmlTree, node: number, depth: number): string {
  if (tree.tag[node] === TEXT) return symbols(tree.text(node));
  if (depth > MAX_DEPTH) return symbols(tree.textContent(node));
  const name = nameOf(tree, node);
  if (name === "mtext" || name === "ms") return textOf(tree, node);
  if (name === "mi" || name === "mo" || name === "mn" || name === "c") {
    const shown = symbols(shownOf(tree, node));
    const variant = ownProperty(VARIANTS, tree.attribute(node, "mathvariant") ?? "");
    return variant === undefined || shown.startsWith("\\math") ? shown : `\\${variant}{${shown}}`;
  }
  const write = ownProperty(WRITERS, name);
  if (!write) return rowOf(tree, node, depth);
  const parts = operandsOf(tree, node, name).map((part) => partOf(tree, part, depth + 1));
  return write(parts, tree, node) ?? joined(parts);
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
  return text.trim() === "" ? "\\ " : `\\text{${text.replace(/[{}\\$]/g, "\\$&")}}`;
}

function symbols(text: string): string {
  const plain = text.normalize("NFKC").replace(INVISIBLE, "");
  if (FUNCTIONS.test(plain)) return `\\${plain}`;
  const signs = Array.from(
    text.replace(INVISIBLE, ""),
    (sign) => COMMANDS.get(sign) ?? inAlphabet(sign) ?? sign.normalize("NFKC"),
  );
  return joined(signs.map((sign) => COMMANDS.get(sign) ?? (/^[{}%&#$_]$/.test(sign) ? `\\${sign}` : sign)));
}

function inAlphabet(sign: string): string | undefined {
  const command = ALPHABETS.find(([letters]) => letters.test(sign))?.[1];
  return command === undefined ? undefined : `\\${command}{${sign.normalize("NFKC")}}`;
}

function tidy(latex: string): string {
  return latex.replaceAll("\u2212", "-").replace(/ {2,}/g, " ").trim();
}
