import { useEffect, useState } from "preact/hooks";

/** How long something has been running, by the second. */
export function RunningTime() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span class="dim num" role="timer">{`${seconds} s`}</span>;
}
