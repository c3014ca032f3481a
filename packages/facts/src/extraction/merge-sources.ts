import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { identityKey, spellingOf } from "./merge.ts";

/** `Citation` says where a single value stands on its page. */
export interface SourcedValue<Citation = unknown> {
  readonly value: unknown;
  readonly url: string;
  /** By the paths of the page's values. */
  readonly citations?: Readonly<Record<string, readonly Citation[]>> | undefined;
  /** Where this value is in what the page says. Default: it is all of that. */
  readonly path?: string;
}

interface MergedValue<Citation> {
  /** Undefined if no page has a value. */
  readonly value: unknown;
  /**
   * URLs behind each value, by path: `company.name`, `products` for a whole list, `products[0]` for an entry.
   * For a single value, only the pages that agree with it.
   */
  readonly sources: Readonly<Record<string, readonly string[]>>;
  /** Of single values: the citations of all pages that agree. Pages without citations have none. */
  readonly citations?: Readonly<Record<string, readonly Citation[]>>;
}

/**
 * Merges values of several pages. Lists are united and equal things joined. Of different single values, the
 * most frequent wins; on a tie, the first.
 */
export function mergeSources<Citation>(values: readonly SourcedValue<Citation>[]): MergedValue<Citation> {
  const merging = new Merging<Citation>();
  const value = merging.any(values, "");
  const { sources, citations } = merging;
  return {
    value,
    sources: Object.fromEntries(sources),
    ...(citations.size > 0 && { citations: Object.fromEntries(citations) }),
  };
}

class Merging<Citation> {
  readonly sources = new Map<string, readonly string[]>();
  readonly citations = new Map<string, readonly Citation[]>();

  any(values: readonly SourcedValue<Citation>[], path: string): unknown {
    const said = values.filter(({ value }) => value !== undefined && value !== null);
    const [first] = said;
    if (!first) return values.some(({ value }) => value === null) ? null : undefined;
    const lists = said.filter(({ value }) => Array.isArray(value));
    const objects = said.filter(({ value }) => isJsonObject(value));
    if (Array.isArray(first.value)) return this.#list(lists, path);
    if (isJsonObject(first.value)) return this.#object(objects, path);
    return this.#vote(
      said.filter(({ value }) => typeof value !== "object"),
      path,
    );
  }

  #object(values: readonly SourcedValue<Citation>[], path: string): JsonObject {
    const names = new Set(values.flatMap(({ value }) => Object.keys(value as JsonObject)));
    const entries = [...names].map((name) => {
      const members = values.flatMap((one) =>
        Object.hasOwn(one.value as JsonObject, name)
          ? [{ ...one, value: ownProperty(one.value as JsonObject, name), path: inside(one.path, name) }]
          : [],
      );
      return [name, this.any(members, inside(path, name))] as const;
    });
    return Object.fromEntries(entries);
  }

  #list(values: readonly SourcedValue<Citation>[], path: string): readonly unknown[] {
    const byKey = new Map<string, SourcedValue<Citation>[]>();
    for (const one of values) {
      for (const [index, item] of (one.value as readonly unknown[]).entries()) {
        const key = identityKey(item);
        const found = { ...one, value: item, path: `${one.path ?? ""}[${index}]` };
        const known = byKey.get(key);
        if (known) known.push(found);
        else byKey.set(key, [found]);
      }
    }
    this.#note(path, values);
    return [...byKey.values()].map((same, index) => {
      const itemPath = `${path}[${index}]`;
      this.#note(itemPath, same);
      // Everything that the page says about a thing belongs to that thing.
      return this.#ofThing(same, itemPath);
    });
  }

  #vote(values: readonly SourcedValue<Citation>[], path: string): unknown {
    const byText = new Map<string, SourcedValue<Citation>[]>();
    for (const one of values) {
      const key = spellingOf(one.value);
      const same = byText.get(key);
      if (same) same.push(one);
      else byText.set(key, [one]);
    }
    const [most = []] = [...byText.values()].toSorted((a, b) => votesOf(b) - votesOf(a));
    this.#note(path, most);
    this.#cite(path, most);
    return most[0]?.value;
  }

  /** Its values have citations, but no sources beside those of the thing. */
  #ofThing(values: readonly SourcedValue<Citation>[], path: string): unknown {
    const merging = new Merging<Citation>();
    const value = merging.any(values, path);
    for (const [inner, citations] of merging.citations) this.citations.set(inner, citations);
    return value;
  }

  #cite(path: string, values: readonly SourcedValue<Citation>[]): void {
    const cited = values.flatMap(({ citations, path: own = "" }) => ownProperty(citations ?? {}, own) ?? []);
    if (values.some(({ citations }) => citations)) this.citations.set(path, cited);
  }

  #note(path: string, values: readonly SourcedValue<Citation>[]): void {
    if (path !== "") this.sources.set(path, [...new Set(values.map(({ url }) => url))]);
  }
}

/** Each page has one vote, however often it repeats a value. */
function votesOf(values: readonly SourcedValue[]): number {
  return new Set(values.map(({ url }) => url)).size;
}

function inside(path: string | undefined, name: string): string {
  return path === undefined || path === "" ? name : `${path}.${name}`;
}
