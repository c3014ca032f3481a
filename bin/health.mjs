/** Ends well when the service on this machine is ready. For container and service managers. */

const port = process.env.PORT || "3002";
const LIMIT_MS = 4000;

try {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(LIMIT_MS) });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
} catch (error) {
  console.error(`Not ready: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
