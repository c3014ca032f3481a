// Measures the package and what npm installs for it, and writes the sizes into docs/deploy.md.
// Usage: node lab/quality/package-sizes.mjs
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = join(ROOT, "docs/deploy.md");
const BROWSER = "node_modules/@sparticuz/chromium";
const START = "<!-- sizes: written by lab/quality/package-sizes.mjs -->\n";
const END = "<!-- end of sizes -->";

// As in a package, without what earlier builds left.
execFileSync(process.execPath, [join(ROOT, "bin/build.mjs"), "--clean"], { stdio: "inherit" });
const [packed] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: ROOT, encoding: "utf8" }),
);
const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
const installed = Object.entries(packages)
  .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
  .map(([path]) => bytesOf(join(ROOT, path)));
const total = packed.unpackedSize + installed.reduce((sum, bytes) => sum + bytes, 0);
const sentence = `The package has ${inMegabytes(packed.size)}, ${inMegabytes(packed.unpackedSize)} unpacked. With everything that npm installs for it on
this kind of machine (${process.platform}-${process.arch}) the folder has about ${inMegabytes(total)}, ${inMegabytes(bytesOf(join(ROOT, BROWSER)))} of them a browser.`;

const text = readFileSync(PAGE, "utf8");
const [from, to] = [text.indexOf(START), text.indexOf(END)];
if (from < 0 || to < from) throw new Error(`${PAGE} has no place for the sizes: ${START}${END}`);
writeFileSync(PAGE, `${text.slice(0, from + START.length)}\n${sentence}\n\n${text.slice(to)}`);
console.log(sentence);

/** Of a package, without those that are installed inside it, which the lock file lists by themselves. */
function bytesOf(folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    if (entry.name === "node_modules") return sum;
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesOf(path) : entry.isFile() ? statSync(path).size : 0);
  }, 0);
}

function inMegabytes(bytes) {
  const megabytes = bytes / 1e6;
  return `${megabytes < 10 ? megabytes.toFixed(1) : Math.round(megabytes)} MB`;
}
