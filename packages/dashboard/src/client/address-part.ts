import { useLocation } from "preact-iso";

/** A part of the address's query, and how it is set without a new step of the history. Empty: it is left out. */
export function useAddressPart(name: string): readonly [value: string, set: (value: string) => void] {
  const { query, path, route } = useLocation();
  function set(value: string): void {
    const parts = new URLSearchParams(location.search);
    if (value === "") parts.delete(name);
    else parts.set(name, value);
    const text = parts.toString();
    route(text === "" ? path : `${path}?${text}`, true);
  }
  return [query[name] ?? "", set];
}
