import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { FLEET_SCRIPT, FLEET_SCRIPT_HASH } from "../../src/format/fleet/fleet-html-assets.ts";
import { formatFleetHtml } from "../../src/format/fleet/fleet-html.ts";
import { formats } from "../../src/format/index.ts";
import { planFormats } from "../../src/format/plan/index.ts";
import { SCRIPT, SCRIPT_HASH } from "../../src/format/text/html/script.ts";
import { findChromium } from "../support/chromium.ts";
import { readSample } from "../support/format/fleet/fleet-sample.ts";
import { HTML_VIEWS } from "../support/format/html-samples.ts";
import { fullPlan } from "../support/format/plan-sample.ts";
import { buildEvilView } from "../support/format/view-sample.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const DEMO = join(import.meta.dirname, "../../docs/examples/report.html");
const executablePath = findChromium();
const skip = executablePath === undefined && "no Chromium is installed";

const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
] as const;
const THEMES = ["light", "dark"] as const;

const folder = createTemporaryFolder("html");
let browser: Browser | undefined;
before(async () => {
  for (const [name, view] of Object.entries({ ...HTML_VIEWS, evil: buildEvilView() }))
    await writeFile(join(folder, `${name}.html`), formats.html(view));
  await writeFile(join(folder, "fleet.html"), formatFleetHtml(await readSample()));
  await writeFile(
    join(folder, "plan.html"),
    planFormats.html({ plan: fullPlan, accepted: [], colour: false, width: 80 }),
  );
  if (executablePath !== undefined) browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
});

/** Opens a page without any network and hands it over with everything that it asked for or complained of. */
async function withPage(
  file: string,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<readonly string[]> {
  assert.ok(browser !== undefined);
  const context = await browser.newContext({ offline: true, ...options });
  const events: string[] = [];
  try {
    const page = await context.newPage();
    page.on("request", (request) => events.push(request.url()));
    page.on("console", (message) => events.push(message.text()));
    page.on("pageerror", (error) => events.push(error.message));
    page.on("dialog", (dialog) => void dialog.dismiss().then(() => events.push("a dialog")));
    await page.goto(`file://${file}`);
    await use(page);
    return events;
  } finally {
    await context.close();
  }
}

function getFile(name: string): string {
  return name === "demo" ? DEMO : join(folder, `${name}.html`);
}

for (const name of ["demo", ...Object.keys(HTML_VIEWS), "evil", "fleet", "plan"])
  for (const viewport of SIZES)
    for (const colorScheme of THEMES)
      test(`axe finds nothing on ${name} at ${viewport.width} px, ${colorScheme}`, { skip }, async () => {
        const events = await withPage(getFile(name), { viewport, colorScheme }, async (page) => {
          await page.evaluate(openAll);
          await page.evaluate(axe.source);
          const { violations, passes } = await page.evaluate("axe.run()").then(parseAxeResult);
          assert.deepEqual(violations, []);
          assert.ok(passes.includes("color-contrast"));
          assert.equal(await page.evaluate(isTooWide), false, "no text is wider than the page");
        });
        assert.deepEqual(events, [`file://${getFile(name)}`], "nothing else is loaded, and nothing goes wrong");
      });

const openAll = `for (const one of document.querySelectorAll("details")) one.open = true`;
const isTooWide = `document.documentElement.scrollWidth > document.documentElement.clientWidth`;

type AxeResult = { readonly violations: readonly string[]; readonly passes: readonly string[] };

function parseAxeResult(result: unknown): AxeResult {
  const { violations, passes }: axe.AxeResults = JSON.parse(JSON.stringify(result));
  return {
    violations: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    passes: passes.map(({ id }) => id),
  };
}

test("the filter leaves what has all its words, and says how much", { skip }, async () => {
  await withPage(getFile("demo"), {}, async (page) => {
    await page.getByLabel("Filter").fill("SHOP budget");
    assert.deepEqual(await listVisible(page), ["DrainBlockedByDisruptionBudget"]);
    assert.equal(await page.getByRole("status").textContent(), "1 of 6 shown");
    const headings = await page.getByRole("heading", { level: 2 }).allTextContents();
    assert.deepEqual(headings, ["The update gets stuck 2", "Notices 6", "Coverage"]);
    await page.getByLabel("Filter").fill("");
    assert.equal((await listVisible(page)).length, 6);
    assert.equal(await page.getByRole("status").textContent(), "");
  });
});

async function listVisible(page: Page): Promise<readonly string[]> {
  return page.locator("article:visible h3").allTextContents();
}

test("the order changes within each kind of work, and back", { skip }, async () => {
  await withPage(getFile("demo"), {}, async (page) => {
    const work = await listVisible(page);
    await page.getByLabel("Sort").selectOption("by number of objects");
    assert.deepEqual((await listVisible(page)).slice(3, 5), ["CustomResourceFieldsFrozen", "CrdServedVersionRemoved"]);
    await page.getByLabel("Sort").selectOption("in the order of work");
    assert.deepEqual(await listVisible(page), work);
  });
});

test("the keyboard reaches everything, and copies a command", { skip }, async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  await withPage(getFile("demo"), { permissions }, async (page) => {
    const reached: string[] = [];
    for (
      let presses = 0;
      presses < 60 && reached.at(-1) !== "Documentation of DrainBlockedByDisruptionBudget";
      presses += 1
    ) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate<string>("document.activeElement.textContent || document.activeElement.id"));
    }
    assert.deepEqual(reached.slice(0, 5), [
      "1 The update is refused",
      "2 The update gets stuck",
      "2 Something breaks",
      "1 Could not be checked",
      "filter",
    ]);
    assert.ok(reached.includes("More about this risk"));
    const command = "oc -n shop get poddisruptionbudget.policy/checkout -o yaml";
    await page.getByRole("button", { name: `Copy ${command}` }).focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), command);
    const more = page.locator("#DrainBlockedByDisruptionBudget details.more");
    await more.locator("summary").focus();
    await page.keyboard.press("Enter");
    assert.equal(await more.getByText("How sure").isVisible(), true);
  });
});

test("without scripts, all of the text is there and no tool that does nothing", { skip }, async () => {
  await withPage(getFile("many"), { javaScriptEnabled: false }, async (page) => {
    assert.equal((await listVisible(page)).length, 6);
    assert.equal(await page.getByLabel("Filter").isVisible(), false);
    assert.equal(await page.getByRole("button").count(), 0);
    await page.getByText("60 more objects").click();
    assert.equal(await page.getByText("team-1/budget-1", { exact: true }).isVisible(), true);
  });
});

test("print shows everything, in light colours and without tools", { skip }, async () => {
  await withPage(getFile("many"), { colorScheme: "dark" }, async (page) => {
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.evaluate("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
    assert.equal(await page.getByLabel("Filter").isVisible(), false);
    await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
    assert.equal(await page.getByText("team-1/budget-1", { exact: true }).isVisible(), true);
    await page.evaluate(`dispatchEvent(new Event("afterprint"))`);
    assert.equal(await page.locator("details[open]").count(), 0);
  });
});

for (const [name, script, hash] of [
  ["a report's", SCRIPT, SCRIPT_HASH],
  ["a fleet's", FLEET_SCRIPT, FLEET_SCRIPT_HASH],
] as const)
  test(`the policy of ${name} page names its script`, () => {
    assert.equal(hash, `sha256-${createHash("sha256").update(script).digest("base64")}`);
  });

test("the clusters of a fleet are filtered", { skip }, async () => {
  await withPage(getFile("fleet"), {}, async (page) => {
    await page.getByLabel("Filter the clusters").fill("PROD");
    assert.equal(await page.getByRole("status").textContent(), "4 of 12 clusters shown");
    assert.equal(await page.getByRole("rowheader").count(), 4);
  });
});

test("a page runs no script but its own", { skip }, async () => {
  const text = formats.html(buildEvilView()).replace("<main>", `<main><script>document.title="other"</script>`);
  await writeFile(join(folder, "injected.html"), text);
  const events = await withPage(join(folder, "injected.html"), {}, async (page) => {
    assert.match(await page.title(), /^Preflight: /);
    assert.equal(await page.getByRole("button", { name: "Copy" }).count(), 2);
  });
  assert.match(events.join("\n"), /Content Security Policy/);
});
