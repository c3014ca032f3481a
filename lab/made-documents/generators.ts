import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

import { findTestBrowser } from "../../packages/browser/src/browser.suite.ts";
import { formattingObjectsOf } from "./formatting-objects.ts";
import { groffOf } from "./groff.ts";
import { htmlOf } from "./html.ts";
import { latexOf } from "./latex.ts";
import type { MadeDocument } from "./made-document.ts";
import { openDocumentOf } from "./open-document.ts";
import type { WritingName } from "./texts.ts";
import { typstOf } from "./typst.ts";

const LATIN: readonly WritingName[] = ["english", "german"];
const EUROPEAN: readonly WritingName[] = [...LATIN, "russian", "greek"];
const ALL: readonly WritingName[] = [...EUROPEAN, "hebrew", "arabic", "japanese", "chinese", "korean", "thai"];

/** A program that makes PDFs, and what it is given. */
interface Generator {
  readonly writings: readonly WritingName[];
  readonly ending: string;
  readonly sourceOf: (document: MadeDocument) => string;
  /** Prints every source in the folder. @throws Error where the program is missing. */
  readonly print: (folder: string, place: Place) => void | Promise<void>;
}

export interface Place {
  readonly python: string;
  /** With fonts of all scripts. */
  readonly fonts: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** They have nothing in common but the documents. */
export const GENERATORS: Readonly<Record<string, Generator>> = {
  latex: {
    writings: LATIN,
    ending: "tex",
    sourceOf: latexOf,
    print: eachOf("tex", (name) => ["pdflatex", ["-interaction=batchmode", `${name}.tex`]]),
  },
  groff: {
    writings: LATIN,
    ending: "ms",
    sourceOf: groffOf,
    print: eachOf("ms", (name) => ["sh", ["-c", `groff -k -t -ms -Tpdf '${name}.ms' > '${name}.pdf' 2> '${name}.log'`]]),
  },
  typst: { writings: ALL, ending: "typ", sourceOf: typstOf, print: byPython("typst") },
  chromium: { writings: ALL, ending: "html", sourceOf: (made) => htmlOf(made, "line"), print: byChromium },
  weasyprint: { writings: ALL, ending: "html", sourceOf: (made) => htmlOf(made, "text"), print: byPython("weasyprint") },
  reportlab: { writings: EUROPEAN, ending: "json", sourceOf: (made) => JSON.stringify(made), print: byPython("reportlab") },
  libreoffice: {
    writings: EUROPEAN.concat("hebrew", "japanese"),
    ending: "fodt",
    sourceOf: openDocumentOf,
    print: (folder, { environment }) => {
      const sources = filesOf(folder, "fodt").map((name) => join(folder, name));
      const profile = `-env:UserInstallation=${pathToFileURL(join(folder, "profile")).href}`;
      run("soffice", [profile, "--headless", "--convert-to", "pdf", "--outdir", folder, ...sources], { folder, environment });
    },
  },
  fop: {
    writings: EUROPEAN,
    ending: "fo",
    sourceOf: formattingObjectsOf,
    print: (folder, place) => {
      const fonts = "<fonts><auto-detect/></fonts>";
      const renderer = `<renderers><renderer mime="application/pdf">${fonts}</renderer></renderers>`;
      writeFileSync(join(folder, "fop.xml"), `<fop version="1.0">${renderer}</fop>`);
      const print = eachOf("fo", (name) => ["fop", ["-q", "-c", "fop.xml", `${name}.fo`, `${name}.pdf`]]);
      return print(folder, place);
    },
  },
};

function filesOf(folder: string, ending: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith(`.${ending}`)).sort();
}

/** What a program prints in spite of a complaint counts. */
function run(program: string, args: readonly string[], { folder, environment }: { folder: string; environment: NodeJS.ProcessEnv }): void {
  execFileSync(program, args, { cwd: folder, env: environment, stdio: ["ignore", "ignore", "pipe"], timeout: 600_000 });
}

function eachOf(ending: string, commandOf: (name: string) => readonly [string, readonly string[]]): Generator["print"] {
  return (folder, { environment }) => {
    for (const file of filesOf(folder, ending)) {
      const name = file.slice(0, -ending.length - 1);
      if (existsSync(join(folder, `${name}.pdf`))) continue;
      try {
        run(...commandOf(name), { folder, environment });
      } catch (error) {
        if (!existsSync(join(folder, `${name}.pdf`))) throw error;
      }
    }
  };
}

function byPython(program: string): Generator["print"] {
  const script = fileURLToPath(new URL("print.py", import.meta.url));
  return (folder, { python, environment, fonts }) => {
    run(python, [script, program, folder], { folder, environment: { ...environment, FONT_FOLDER: fonts } });
  };
}

async function byChromium(folder: string, { environment }: Place): Promise<void> {
  const found = await findTestBrowser();
  if (!found) throw new Error("there is no Chromium");
  const env = { ...environment, ...found.environment, FONTCONFIG_FILE: environment["FONTCONFIG_FILE"] } as Record<string, string>;
  const browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"], env });
  try {
    const page = await browser.newPage();
    for (const file of filesOf(folder, "html")) {
      await page.goto(pathToFileURL(join(folder, file)).href);
      await page.pdf({ path: join(folder, `${file.slice(0, -".html".length)}.pdf`), preferCSSPageSize: true });
    }
  } finally {
    await browser.close();
  }
}

/** Of Debian; they are unpacked, not installed. */
const FONT_PACKAGES = ["fonts-noto-core", "fonts-ipafont-gothic", "fonts-wqy-microhei", "fonts-nanum"];

/** Fonts and settings for all programs, once. */
export function openPlace(folder: string): Place {
  const fonts = join(folder, "fonts");
  if (!existsSync(fonts)) {
    const packed = join(folder, "packages");
    mkdirSync(packed, { recursive: true });
    execFileSync("apt-get", ["download", "-qq", ...FONT_PACKAGES], { cwd: packed, stdio: "ignore" });
    for (const name of filesOf(packed, "deb")) execFileSync("dpkg-deb", ["-x", join(packed, name), fonts]);
  }
  const settings = join(folder, "fonts.conf");
  const folders = [fonts, "/usr/share/fonts"].map((path) => `<dir>${path}</dir>`).join("");
  writeFileSync(settings, `<?xml version="1.0"?><fontconfig>${folders}<cachedir>${join(homedir(), ".cache/fontconfig")}</cachedir></fontconfig>`);
  const python = process.env["MADE_DOCUMENTS_PYTHON"] ?? "python3";
  return { python, fonts, environment: { ...process.env, FONTCONFIG_FILE: settings } };
}
