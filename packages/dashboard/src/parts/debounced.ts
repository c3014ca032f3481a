import { useEffect, useState } from "preact/hooks";

/** So long nothing is typed before it counts. */
const PAUSE_MS = 200;

/** The value once it has stayed the same for a moment. */
export function useDebounced<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [JSON.stringify(value)]);
  return settled;
}
