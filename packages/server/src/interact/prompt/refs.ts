/** What a reference stands for. */
export interface RefTarget {
  /** The browser's own number of the element. */
  readonly backendNodeId: number;
  readonly role: string;
  readonly name: string;
}

/** Short names for elements, such as `e12`: the same element keeps its name as long as it is in the page. */
export class Refs {
  readonly #names = new Map<number, string>();
  #targets = new Map<string, RefTarget>();
  #last = 0;

  /** The element was removed from the page. */
  startLook(): void {
    this.#targets = new Map();
  }

  /** The name of an element that can be acted on. */
  name(target: RefTarget): string {
    const { backendNodeId } = target;
    const known = this.#names.get(backendNodeId) ?? `e${(this.#last += 1)}`;
    this.#names.set(backendNodeId, known);
    this.#targets.set(known, target);
    return known;
  }

  /** Undefined for a name that the last look did not show. */
  find(name: string): RefTarget | undefined {
    return this.#targets.get(name);
  }
}
