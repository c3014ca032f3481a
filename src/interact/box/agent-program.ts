import { PAGE_SOCKET } from "./messages.ts";

/** The program `agent-browser` in a box: hands its words to the runner, which has the page. */
export const AGENT_PROGRAM = `#!/opt/box/bin/node
const { connect } = require("node:net");
const words = process.argv.slice(2);
if (words[0] === "batch" && words.length === 1) {
  words.push(...require("node:fs").readFileSync(0, "utf8").split("\\n").filter((line) => line.trim()));
}
const socket = connect(${JSON.stringify(PAGE_SOCKET)});
let answer = "";
socket.on("error", () => {
  console.error("✗ The page of the session cannot be reached.");
  process.exitCode = 1;
});
socket.write(JSON.stringify({ agent: words }) + "\\n");
socket.on("data", (bytes) => {
  answer += bytes;
  if (!answer.endsWith("\\n")) return;
  socket.destroy();
  const { value, error } = JSON.parse(answer);
  if (error === undefined) console.log(value);
  else console.error("✗ " + error);
  process.exitCode = error === undefined ? 0 : 1;
});
`;
