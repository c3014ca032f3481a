import { runProgram } from "./program.ts";

await runProgram(["serve", ...process.argv.slice(2)]);
