import type { Candidate } from "./candidate.ts";
import { joinPaths } from "./extracted.ts";
import { Found } from "./found.ts";
import { type SoughtProperty, askedFor, groupsFor, likelihood } from "./property-names.ts";
import { hintOf, type Hints } from "./hints.ts";
import { readScalar } from "./read-scalar.ts";
import type { Scope, ScopeSet } from "./scope.ts";
import type { Hint, ValueShape, ListShape, ObjectShape, ScalarShape } from "./schema/value-shape.ts";
import { labelWords, likeness } from "./words.ts";

/** Minimum likelihood of a value. */
const SURE = 0.42;
/**
 * With at least this likelihood, the value is the requested one: if it cannot be read, callers get a warning.
 */
const MISFIT = 0.7;
const LONG_TEXT = 300;
const MAX_LISTED = 200;
/** Minimum share of the properties that a set of things must have to be the requested one. */
const ENOUGH = 0.5;
const TRIED_SCOPES = 5;

/** `share` is how much of the request the value covers, 0 to 1. */
interface Filled {
  readonly value: unknown;
  readonly share: number;
  /** Paths of values that the page has but the schema does not allow; "" is the value itself. */
  readonly misfits: readonly string[];
}

export interface Place {
  readonly scope: Scope;
  /** Relative URLs resolve against it. */
  readonly baseUrl: string;
  /** Whether readers of the page write the month of a day first. Default: false. */
  readonly isMonthFirst?: boolean;
  /** Names of the enclosing properties. */
  readonly around: readonly string[];
  readonly hints?: Hints | undefined;
  /** The element that selectors of hints start from; undefined when a hint around it matches nothing. */
  readonly element?: number | undefined;
}

const NOTHING: Filled = { value: undefined, share: 0, misfits: [] };

/** The value that a schema asks for, as far as the scope has it; missing parts are undefined. */
export function fill(wanted: ValueShape, name: string, place: Place): Filled {
  if (wanted.kind === "object")
    return fillObject(wanted, name === "" ? place : { ...place, around: [...place.around, name] });
  const hint = hintOf(wanted);
  if (place.hints && hint) return fillHinted(wanted, { ...place, hints: place.hints }, hint);
  const asked = askedFor(name, wanted.description, place.around);
  if (wanted.kind === "list") return fillList(wanted, asked, place);
  return fillScalar(wanted, asked, place);
}

function fillHinted(
  wanted: ListShape | ScalarShape,
  place: Place & { readonly hints: Hints },
  hint: Hint,
): Filled {
  const { hints, element } = place;
  const nodes = hints.nodes(hint, element);
  if (wanted.kind === "list") return fillHintedList(wanted, place, nodes);
  const text = nodes[0] === undefined ? undefined : hints.text(hint, nodes[0]);
  if (text === undefined) return NOTHING;
  const { baseUrl, isMonthFirst = false } = place;
  const value = readScalar(text, { wanted, concept: undefined, baseUrl, isMonthFirst });
  if (value === undefined) return { ...NOTHING, misfits: [""] };
  const origin = { foundBy: "selector" as const, confidence: 1, node: nodes[0] ?? -1, raw: text };
  return { value: new Found(value, origin), share: 1, misfits: [] };
}

/** One item for each element. Attribute and pattern of the list are those of its items. */
function fillHintedList(
  { hint, items, most, fewest }: ListShape,
  place: Place & { readonly hints: Hints },
  nodes: readonly number[],
): Filled {
  const own = {
    selector: hint && items.hint?.selector,
    attribute: items.hint?.attribute ?? hint?.attribute,
    pattern: items.hint?.pattern ?? hint?.pattern,
  };
  const filled = place.hints.firstOf(nodes, most).flatMap((element) => {
    if (place.hints.isSpent) return [];
    const scope = place.hints.scopeOf(element);
    return fill({ ...items, hint: own }, "", { ...place, scope, element, around: [] });
  });
  const value = filled.flatMap((item) => (item.value === undefined ? [] : [item.value]));
  const misfits = [...new Set(filled.flatMap((item) => item.misfits))].map((path) => joinPaths("[]", path));
  return value.length === 0 || value.length < fewest ? { ...NOTHING, misfits } : { value, share: 1, misfits };
}

function fillObject(wanted: ObjectShape, at: Place): Filled {
  const [element] = wanted.hint && at.hints ? at.hints.nodes(wanted.hint, at.element) : [at.element];
  const place = { ...at, element };
  const name = place.around.at(-1);
  const inner = name === undefined ? undefined : innerScope(place.scope, name);
  const within = inner ? { ...place, scope: inner, around: [] } : place;
  const entries: [string, unknown][] = [];
  const misfits: string[] = [];
  let share = 0;
  for (const property of wanted.properties) {
    const own = fill(property.wanted, property.name, within);
    const filled = own.value === undefined && inner ? fill(property.wanted, property.name, place) : own;
    misfits.push(...filled.misfits.map((path) => joinPaths(property.name, path)));
    if (filled.value === undefined) continue;
    entries.push([property.name, filled.value]);
    share += filled.share;
  }
  if (entries.length === 0) return { ...NOTHING, misfits };
  return { value: Object.fromEntries(entries), share: share / wanted.properties.length, misfits };
}

/** The nested thing with this name. */
function innerScope({ inner }: Scope, name: string): Scope | undefined {
  const words = labelWords(name);
  return inner().find(({ label }) => likeness(label, words) === 1)?.scope;
}

interface Choice {
  readonly candidate: Candidate;
  readonly score: number;
}

function choicesFor(asked: SoughtProperty, { index }: Scope): readonly Choice[] {
  const choices: Choice[] = [];
  for (const group of groupsFor(asked, index())) {
    const likely = likelihood(asked, group);
    if (likely < SURE) continue;
    for (const candidate of group.candidates) {
      const score = likely * candidate.weight;
      if (score >= SURE) choices.push({ candidate, score });
    }
  }
  return choices.sort((one, other) => other.score - one.score);
}

function fillScalar(
  wanted: ScalarShape,
  asked: SoughtProperty,
  { scope, baseUrl, isMonthFirst }: Place,
): Filled {
  const reading = { wanted, concept: asked.concept, baseUrl, isMonthFirst: isMonthFirst === true };
  let best: (Choice & { readonly value: unknown }) | undefined;
  let isMisfit = false;
  for (const { candidate, score } of choicesFor(asked, scope)) {
    if (best && best.score >= score) break;
    if (candidate.isTeased) continue;
    const value = readScalar(joined(candidate, asked), reading);
    isMisfit ||= value === undefined && score >= MISFIT;
    const fits = value === undefined ? 0 : score * lengthFit(value, asked);
    if (fits >= SURE && fits > (best?.score ?? 0)) best = { value, candidate, score: fits };
  }
  if (best) {
    const raw = joined(best.candidate, asked);
    return { value: foundIn(best, best.value, raw), share: 1, misfits: [] };
  }
  return isMisfit ? { ...NOTHING, misfits: [""] } : NOTHING;
}

function foundIn({ candidate, score }: Choice, value: unknown, raw: unknown): Found {
  const { foundBy, node } = candidate;
  return new Found(value, { foundBy, node, raw, confidence: score });
}

const MANY_AS_ONE: ReadonlySet<string> = new Set(["ingredient", "instruction", "tag", "hour"]);

/** The first of several values counts, unless they are parts of one text. */
function joined({ values }: Candidate, { concept }: SoughtProperty): unknown {
  return values.length > 1 && concept !== undefined && MANY_AS_ONE.has(concept)
    ? values.join(", ")
    : values[0];
}

const LONG_CONCEPTS: ReadonlySet<string> = new Set(["description", "body", "instruction", "ingredient"]);

function lengthFit(value: unknown, { concept, words }: SoughtProperty): number {
  if (typeof value !== "string" || value.length <= LONG_TEXT) return 1;
  const isText =
    (concept !== undefined && LONG_CONCEPTS.has(concept)) ||
    words.some((word) => /text|bio|note|detail/.test(word));
  return isText ? 1 : 0.5;
}

function fillList(wanted: ListShape, asked: SoughtProperty, place: Place): Filled {
  const { values, misfits } =
    wanted.items.kind === "object"
      ? thingsFor(wanted.items, asked, place)
      : valuesFor(wanted.items, asked, place);
  const unique = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()].slice(
    0,
    wanted.most,
  );
  const paths = [...new Set(misfits)].map((path) => joinPaths("[]", path));
  if (unique.length === 0 || unique.length < wanted.fewest) return { ...NOTHING, misfits: paths };
  return { value: unique, share: 1, misfits: paths };
}

interface Listed {
  readonly values: readonly unknown[];
  readonly misfits: readonly string[];
}

const EMPTY: Listed = { values: [], misfits: [] };

/**
 * Values of one kind: those of the likeliest candidate, of all candidates with its name, or the parts of a
 * text.
 */
function valuesFor(
  items: ValueShape,
  asked: SoughtProperty,
  { scope, baseUrl, isMonthFirst }: Place,
): Listed {
  if (items.kind !== "scalar") return EMPTY;
  const choices = choicesFor(asked, scope);
  const [best] = choices;
  if (!best) return EMPTY;
  const several = choices.find(
    ({ candidate, score }) => candidate.values.length > 1 && score > best.score - 0.3,
  );
  const alike = choices.filter(
    ({ score, candidate }) =>
      score > best.score - 0.01 && candidate.label.join() === best.candidate.label.join(),
  );
  const from = (choice: Choice, values = choice.candidate.values) => values.map((raw) => ({ choice, raw }));
  const told = several
    ? from(several)
    : alike.length > 1
      ? alike.flatMap((choice) => from(choice))
      : from(best, partsOf(best.candidate));
  const reading = { wanted: items, concept: asked.concept, baseUrl, isMonthFirst: isMonthFirst === true };
  const read = told.slice(0, MAX_LISTED);
  const values = read.flatMap(({ choice, raw }) => {
    const value = readScalar(raw, reading);
    return value === undefined ? [] : [foundIn(choice, value, raw)];
  });
  return { values, misfits: best.score >= MISFIT && values.length < read.length ? [""] : [] };
}

function partsOf({ values }: Candidate): readonly unknown[] {
  const [only] = values;
  if (typeof only !== "string" || only.length > 500) return values;
  const parts = only.split(/\s*[,;|•·/]\s*|\s+(?:and|und|et|y)\s+/u).filter((part) => part !== "");
  return parts.length > 1 && parts.every((part) => part.length < 60) ? parts : values;
}

/** The set with the most requested properties; if several have them, the one with the best matching name. */
function thingsFor(items: ObjectShape, asked: SoughtProperty, place: Place): Listed {
  let best: { readonly set: ScopeSet; readonly score: number } | undefined;
  for (const set of place.scope.sets()) {
    const share = shareOf(set, items, place);
    if (share < ENOUGH) continue;
    const named = Math.max(0, ...set.labels.map((label) => likeness(label, asked.words)));
    const score = (share + 0.5 * named) * set.weight + Math.min(set.scopes.length, 10) / 100;
    if (score > (best?.score ?? 0)) best = { set, score };
  }
  return best ? thingsOf(best.set, items, place) : EMPTY;
}

/** Share of the requested properties that the first few things have. */
function shareOf({ scopes }: ScopeSet, items: ObjectShape, place: Place): number {
  const tried = scopes.slice(0, TRIED_SCOPES);
  const required = items.properties.filter(({ isRequired }) => isRequired);
  const core = required.length > 0 ? { ...items, properties: required } : items;
  const shares = tried.map(
    (scope) =>
      0.8 * fillObject(core, { ...place, scope, around: [] }).share +
      0.2 * fillObject(items, { ...place, scope, around: [] }).share,
  );
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, tried.length);
}

function thingsOf({ scopes }: ScopeSet, items: ObjectShape, place: Place): Listed {
  const required = items.properties.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const things = scopes.map((scope) => fillObject(items, { ...place, scope, around: [] }));
  const values = things.flatMap(({ value, share }) => {
    const isWhole =
      typeof value === "object" && value !== null && required.every((name) => Object.hasOwn(value, name));
    return isWhole && share >= ENOUGH / 2 ? [value] : [];
  });
  return { values, misfits: things.flatMap(({ misfits }) => misfits) };
}
