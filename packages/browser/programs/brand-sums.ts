/** Items of lists that are counted together when they are alike. */
export class Sums {
  readonly #lists = new Map<string, Map<string, Record<string, unknown>>>();

  /** Adds to the weight of the item with this key. */
  add(
    list: string,
    key: string | number,
    item: Readonly<Record<string, unknown>>,
    weight: { readonly name: string; readonly value: number },
  ): void {
    const items = this.#lists.get(list) ?? new Map<string, Record<string, unknown>>();
    this.#lists.set(list, items);
    const found = items.get(String(key));
    if (found) found[weight.name] = Number(found[weight.name]) + weight.value;
    else items.set(String(key), { ...item, [weight.name]: weight.value });
  }

  /** The first items of a list, in the order in which they were seen. */
  list(list: string, maxItems: number): readonly unknown[] {
    return [...(this.#lists.get(list)?.values() ?? [])].slice(0, maxItems);
  }
}
