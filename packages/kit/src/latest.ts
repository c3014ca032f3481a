/** Derives something from a value that seldom changes, and again only when the value differs. */
export function latest<From, Made>(read: () => From, make: (from: From) => Made): () => Made {
  let last: { readonly from: From; readonly made: Made } | undefined;
  return () => {
    const from = read();
    if (last?.from !== from) last = { from, made: make(from) };
    return last.made;
  };
}
