import { useEffect, useState } from "preact/hooks";

/** A number that grows as time passes, as long as the page is looked at. */
export function useRound(intervalMs: number): number {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setRound((before) => before + 1);
    }, intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return round;
}
