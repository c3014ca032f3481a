/** In points. About one line of text. */
const HEIGHT = 12;
/** Items that span more shelves are kept apart and returned for every height. */
const MAX_SHELVES = 100;

/** Index of items by vertical extent. It finds the items at a height without a scan of all. */
export class Shelves<T> {
  readonly #shelves = new Map<number, T[]>();
  readonly #tall: T[] = [];

  /** @param extent - top and bottom of an item, in points */
  constructor(things: Iterable<T>, extent: (thing: T) => readonly [from: number, to: number]) {
    for (const thing of things) this.#add(thing, extent(thing));
  }

  /**
   * Items that may cover this height, with few extra. Very tall items come first, the others in insertion
   * order.
   */
  at(height: number): readonly T[] {
    const shelf = this.#shelves.get(Math.floor(height / HEIGHT)) ?? [];
    return this.#tall.length > 0 ? [...this.#tall, ...shelf] : shelf;
  }

  #add(thing: T, [from, to]: readonly [number, number]): void {
    const [first, last] = [Math.floor(from / HEIGHT), Math.floor(to / HEIGHT)];
    if (!(last - first < MAX_SHELVES)) {
      this.#tall.push(thing);
      return;
    }
    for (let number = first; number <= last; number++) {
      const shelf = this.#shelves.get(number);
      if (shelf) shelf.push(thing);
      else this.#shelves.set(number, [thing]);
    }
  }
}
