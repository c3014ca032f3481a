/** Draws names that sound like those given: each letter follows the three before as it does in one of them. */
export function namesLike(names: readonly string[], random: () => number): () => string {
  const next = new Map<string, string[]>();
  for (const name of names) {
    const padded = `^^^${name}$`;
    for (let at = 3; at < padded.length; at++) {
      const before = padded.slice(at - 3, at);
      const known = next.get(before) ?? [];
      known.push(padded[at] as string);
      next.set(before, known);
    }
  }
  const drawn = () => {
    let name = "^^^";
    while (name.length < 16) {
      const letters = next.get(name.slice(-3)) ?? ["$"];
      const letter = letters[Math.floor(random() * letters.length)] as string;
      if (letter === "$") break;
      name += letter;
    }
    return name.slice(3);
  };
  return () => Array.from({ length: 5 }, drawn).find((name) => name.length > 3 && name.length < 12) ?? "Anna";
}
