/** Characters → the same raised, and lowered. */
const RAISED = signs("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ");
const LOWERED = signs("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ");

function signs(plain: string, shown: string): ReadonlyMap<string, string> {
  return new Map(Array.from(plain, (sign, at) => [sign, shown[at] ?? sign]));
}

const POWER = /^(?:[-−+]?\d{1,3}|[ni]|[-−+]?\d?[ni](?:[-−+]\d)?|\d{0,2}[+\-−])$/;
const INDEX = /^(?:[-−+]?\d{1,3}|\d[a-z]?|[aehijklmnoprstuvx](?:[-−+]\d)?)$/;

/** Signs above the line for a power, the charge of an ion or the number of a note. Undefined for words. */
export function raised(text: string): string | undefined {
  return POWER.test(text) ? small(text, RAISED) : undefined;
}

/** Signs below the line for an index. Undefined for words. */
export function lowered(text: string): string | undefined {
  return INDEX.test(text) ? small(text, LOWERED) : undefined;
}

function small(text: string, shown: ReadonlyMap<string, string>): string {
  return Array.from(text, (sign) => shown.get(sign) ?? sign).join("");
}
