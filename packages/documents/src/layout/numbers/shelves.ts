/** In points: about a line of text. */
const HEIGHT = 12;
/** What reaches over more shelves is kept apart, and found at every height. */
const MAX_SHELVES = 100;

/** Things by the heights they reach over: finds those at one height without a look at all others. */
export class Shelves<T> {
  readonly #shelves = new Map<number, T[]>();
  readonly #tall: T[] = [];

  /** @param extent - from and to which height a thing reaches, in points */
  constructor(things: Iterable<T>, extent: (thing: T) => readonly [from: number, to: number]) {
    for (const thing of things) this.#add(thing, extent(thing));
  }

  /** All that may reach over this height, and little else, in the order they were given but for very tall ones. */
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
