import { isJsonObject, type JsonObject } from "@pergamon-dev/kit/json";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { identityKey, spellingOf } from "./merge.ts";

export interface SourcedValue {
  readonly value: unknown;
  readonly url: string;
}

interface MergedValue {
  /** Undefined if no page has a value. */
  readonly value: unknown;
  /**
   * URLs behind each value, by path: `company.name`, `products` for a whole list, `products[0]` for an entry.
   * For a single value, only the pages that agree with it.
   */
  readonly sources: Readonly<Record<string, readonly string[]>>;
}

/**
 * Merges values of several pages. Lists are united and equal things joined. Of different single values, the
 * most frequent wins; on a tie, the first.
 */
export function mergeSources(values: readonly SourcedValue[]): MergedValue {
  const merging = new Merging();
  const value = merging.any(values, "");
  return { value, sources: Object.fromEntries(merging.sources) };
}

class Merging {
  readonly sources = new Map<string, readonly string[]>();

  any(values: readonly SourcedValue[], path: string): unknown {
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

  #object(values: readonly SourcedValue[], path: string): JsonObject {
    const names = new Set(values.flatMap(({ value }) => Object.keys(value as JsonObject)));
    const entries = [...names].map((name) => {
      const members = values.flatMap(({ value, url }) =>
        Object.hasOwn(value as JsonObject, name)
          ? [{ value: ownProperty(value as JsonObject, name), url }]
          : [],
      );
      return [name, this.any(members, path === "" ? name : `${path}.${name}`)] as const;
    });
    return Object.fromEntries(entries);
  }

  #list(values: readonly SourcedValue[], path: string): readonly unknown[] {
    const byKey = new Map<string, SourcedValue[]>();
    for (const { value, url } of values) {
      for (const item of value as readonly unknown[]) {
        const key = identityKey(item);
        const known = byKey.get(key);
        if (known) known.push({ value: item, url });
        else byKey.set(key, [{ value: item, url }]);
      }
    }
    this.#note(path, values);
    return [...byKey.values()].map((same, index) => {
      const itemPath = `${path}[${index}]`;
      this.#note(itemPath, same);
      // Everything that the page says about a thing belongs to that thing.
      return new Merging().any(same, itemPath);
    });
  }

  #vote(values: readonly SourcedValue[], path: string): unknown {
    const byText = new Map<string, SourcedValue[]>();
    for (const one of values) {
      const key = spellingOf(one.value);
      const same = byText.get(key);
      if (same) same.push(one);
      else byText.set(key, [one]);
    }
    const [most = []] = [...byText.values()].toSorted((a, b) => votesOf(b) - votesOf(a));
    this.#note(path, most);
    return most[0]?.value;
  }

  #note(path: string, values: readonly SourcedValue[]): void {
    if (path !== "") this.sources.set(path, [...new Set(values.map(({ url }) => url))]);
  }
}

/** Each page has one vote, however often it repeats a value. */
function votesOf(values: readonly SourcedValue[]): number {
  return new Set(values.map(({ url }) => url)).size;
}
