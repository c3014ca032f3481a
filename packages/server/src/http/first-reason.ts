import { z } from "zod";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** What the validator calls types → how people do. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ["array", "an array"],
  ["int", "an integer"],
  ["object", "an object"],
  ["record", "an object"],
]);

/** The first thing that is wrong with a request, in one sentence: `formats[2].schema must be an object`. */
export function firstReason([first]: readonly Issue[], parent: Path = []): string {
  if (!first) return "it does not have the right shape";
  const path = [...parent, ...first.path];
  if (first.code === "custom") return first.message;
  if (first.code === "invalid_key") return firstReason(first.issues, path);
  const branch = first.code === "invalid_union" ? meantBranch(first.errors) : undefined;
  if (branch) return firstReason(branch, path);
  return `${z.core.toDotPath([...path]) || "the body"} ${predicateOf(first)}`;
}

/** Of the shapes that a value may have, what is wrong with the one that was meant: its type, and its name, are right. */
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const isOther = ({ code, path }: Issue) =>
    path.length === 0 ? code === "invalid_type" || code === "invalid_value" : isOfName(path);
  return branches.find((issues) => !issues.some(isOther));
}

function isOfName(path: Path): boolean {
  return path.length === 1 && path[0] === "type";
}

function predicateOf(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.message.endsWith("received undefined")
        ? "is missing"
        : `must be ${typeName(issue.expected)}`;
    case "too_small":
      return boundOf(issue, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return boundOf(issue, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "invalid_value":
      return `must be ${oneOf(issue.values)}`;
    case "unrecognized_keys":
      return `has no field ${issue.keys.join(", ")}`;
    case "invalid_union":
      return unionPredicate(issue);
    default:
      return issue.message.startsWith("must ") ? issue.message : `is not valid: ${issue.message}`;
  }
}

function boundOf(
  { origin }: { readonly origin: string },
  comparison: string,
  bound: number | bigint,
): string {
  if (origin !== "number" && comparison === "at least" && bound === 1) return "must not be empty";
  if (origin === "string") return `must have ${comparison} ${bound} characters`;
  if (origin === "array" || origin === "set") return `must have ${comparison} ${bound} entries`;
  return `must be ${comparison} ${bound}`;
}

/** No shape was meant: the value has another type than all, or a name that none has. */
function unionPredicate(issue: z.core.$ZodIssueInvalidUnion): string {
  if ("options" in issue && Array.isArray(issue.options)) return `must be ${oneOf(issue.options)}`;
  const all = issue.errors.flat();
  const named = all.flatMap((one) => (one.code === "invalid_value" && isOfName(one.path) ? one.values : []));
  if (named.length > 0) return `must have a type that is ${oneOf(named)}`;
  const values = all.flatMap((one) => (one.code === "invalid_value" ? one.values : []));
  const types = all.flatMap((one) => (one.code === "invalid_type" ? [typeName(one.expected)] : []));
  const choices = [...(values.length > 0 ? [oneOf(values)] : []), ...new Set(types)];
  return `must be ${choices.join(" or ")}`;
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map(String);
  return texts.length === 1 ? `${texts[0]}` : `one of ${texts.join(", ")}`;
}

function typeName(expected: string): string {
  return TYPES.get(expected) ?? `a ${expected}`;
}
