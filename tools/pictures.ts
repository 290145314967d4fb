// Pictures of every page, to look at: `npm run pictures -- FOLDER [NAME...]`. They are not committed.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../verify/pages/chromium.ts";
import { buildPages } from "../verify/pages/page-samples.ts";
import { SIZES } from "../verify/pages/page-viewports.ts";
import { THEMES } from "./pages/theme.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const [folder, ...names] = positionals;
const executablePath = findChromium();
if (folder === undefined || executablePath === undefined) {
  process.stderr.write(
    folder === undefined
      ? "name the folder for the pictures\n"
      : "no Chromium is installed: install it, or set CHROMIUM\n",
  );
  process.exitCode = 2;
} else await takePictures(folder, executablePath);

/** Each page in each theme and at each width, as NAME-THEME-WIDTH.png. */
async function takePictures(folderOfPictures: string, chromiumPath: string): Promise<void> {
  mkdirSync(folderOfPictures, { recursive: true });
  const pages = { demo: readFileSync("docs/examples/report.html", "utf8"), ...(await buildPages()) };
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  try {
    for (const [name, html] of Object.entries(pages))
      if (names.length === 0 || names.includes(name)) await takePicturesOf(name, html, browser, folderOfPictures);
  } finally {
    await browser.close();
  }
}

async function takePicturesOf(name: string, html: string, browser: Browser, to: string): Promise<void> {
  const file = resolve(to, `${name}.html`);
  writeFileSync(file, html);
  for (const viewport of SIZES)
    for (const colorScheme of THEMES) {
      const context = await browser.newContext({ viewport, colorScheme, offline: true });
      const page = await context.newPage();
      await page.goto(pathToFileURL(file).href);
      await page.screenshot({ path: join(to, `${name}-${colorScheme}-${viewport.width}.png`), fullPage: true });
      await context.close();
    }
}
