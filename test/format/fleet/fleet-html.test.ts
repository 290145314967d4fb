import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { type Browser, chromium } from "playwright-core";
import { FLEET_SCRIPT, FLEET_SCRIPT_HASH } from "../../../src/format/fleet/fleet-html-assets.ts";
import { formatFleetHtml } from "../../../src/format/fleet/fleet-html.ts";
import { findChromium } from "../../support/chromium.ts";
import { readSample } from "./fleet-sample.ts";

const executablePath = findChromium();
const skip = executablePath === undefined && "no Chromium is installed";
let folder = "";
let browser: Browser | undefined;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "preflight-fleet-html-"));
  await writeFile(join(folder, "fleet.html"), formatFleetHtml(await readSample()));
  if (executablePath !== undefined) browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const OPEN_ALL = `for (const one of document.querySelectorAll("details")) one.open = true`;
const IS_TOO_WIDE = `document.documentElement.scrollWidth > document.documentElement.clientWidth`;

for (const width of [1280, 390])
  for (const colorScheme of ["light", "dark"] as const)
    test(`axe finds nothing on the fleet's page at ${width} px, ${colorScheme}`, { skip }, async () => {
      const context = await browser?.newContext({ offline: true, viewport: { width, height: 900 }, colorScheme });
      const page = await context?.newPage();
      assert.ok(page);
      const events: string[] = [];
      page.on("console", (message) => events.push(message.text()));
      page.on("pageerror", (error) => events.push(error.message));
      await page.goto(`file://${join(folder, "fleet.html")}`);
      await page.evaluate(OPEN_ALL);
      await page.evaluate(axe.source);
      const { violations }: axe.AxeResults = JSON.parse(JSON.stringify(await page.evaluate("axe.run()")));
      assert.deepEqual(
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
        [],
      );
      assert.equal(await page.evaluate(IS_TOO_WIDE), false);
      assert.deepEqual(events, []);
      await context?.close();
    });

test("the filter leaves the clusters that have all its words", { skip }, async () => {
  const page = await browser?.newPage();
  assert.ok(page);
  await page.goto(`file://${join(folder, "fleet.html")}`);
  await page.getByLabel("Filter").fill("edge stale");
  assert.deepEqual(await page.locator("tbody tr:visible th").allTextContents(), ["edge-expired", "edge-stale"]);
  assert.equal(await page.getByRole("status").textContent(), "2 of 11 clusters");
  await page.close();
});

test("the page's policy names its script", () => {
  assert.equal(`sha256-${createHash("sha256").update(FLEET_SCRIPT).digest("base64")}`, FLEET_SCRIPT_HASH);
});
