/** Makes something out of a value that changes now and then: again only when it is another value. */
export function latest<From, Made>(read: () => From, make: (from: From) => Made): () => Made {
  let last: { readonly from: From; readonly made: Made } | undefined;
  return () => {
    const from = read();
    if (last?.from !== from) last = { from, made: make(from) };
    return last.made;
  };
}
