import { readFileSync } from "node:fs";
import { connect } from "node:net";

import { PAGE_SOCKET } from "../../server/src/interact/box/messages.ts";

interface AgentAnswer {
  readonly value?: string;
  readonly error?: string;
}

/** The program `agent-browser` in a box: hands its words to the runner, which has the page. */
function main(): void {
  const words = process.argv.slice(2);
  if (words[0] === "batch" && words.length === 1) words.push(...linesOfInput());
  const socket = connect(PAGE_SOCKET);
  let text = "";
  socket.on("error", () => {
    console.error("✗ The page of the session cannot be reached.");
    process.exitCode = 1;
  });
  socket.write(`${JSON.stringify({ agent: words })}\n`);
  socket.on("data", (bytes) => {
    text += String(bytes);
    if (!text.endsWith("\n")) return;
    socket.destroy();
    tell(JSON.parse(text) as AgentAnswer);
  });
}

function linesOfInput(): readonly string[] {
  return readFileSync(0, "utf8")
    .split("\n")
    .filter((line) => line.trim());
}

function tell({ value, error }: AgentAnswer): void {
  if (error === undefined) console.log(value);
  else console.error(`✗ ${error}`);
  process.exitCode = error === undefined ? 0 : 1;
}

main();
