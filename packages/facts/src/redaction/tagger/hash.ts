/** 32-bit FNV-1a over UTF-16 units. @param seed selects an independent hash. */
export function hashText(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Combines numbers into one hash; the order matters. */
export function mix(first: number, second: number, third = 0): number {
  let hash = Math.imul(first ^ 0x9e3779b9, 0x85ebca6b) ^ second;
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) ^ third;
  hash = Math.imul(hash ^ (hash >>> 13), 0x27d4eb2f);
  return (hash ^ (hash >>> 16)) >>> 0;
}
