/** How soon the end of the parent is noticed. */
const CHECK_MS = 250;

/** The end of the process that started this one counts as a request to stop. */
export function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, CHECK_MS);
  watch.unref();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => endWatch(watch, signal));
}

/** A signal that arrived directly must not be followed by a second one: that would cut the shutdown short. */
function endWatch(watch, signal) {
  clearInterval(watch);
  // NOTE: a listener turns off the default, which is to end the process; without another one, it is restored.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
