import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page, type ViewportSize } from "playwright-core";
import { FLEET_SCRIPT, FLEET_SCRIPT_HASH, formatFleetHtml } from "../../src/format/fleet/fleet-html.ts";
import { formats } from "../../src/format/index.ts";
import { SCRIPT, SCRIPT_HASH } from "../../src/format/text/html-shell.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { readSample, TEXTS } from "../../verify/pages/fleet-sample.ts";
import { findChromium } from "../../verify/pages/chromium.ts";
import { buildPages } from "../../verify/pages/page-samples.ts";
import { SIZES } from "../../verify/pages/page-viewports.ts";
import { THEMES } from "../../tools/pages/theme.ts";
import { buildEvilView } from "../../verify/pages/view-sample.ts";
import { hasAllCases, nightly, sampleEach } from "../support/cases/sample.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const DEMO = join(import.meta.dirname, "../../docs/examples/report.html");
const executablePath = findChromium();
const skip = executablePath === undefined && "no Chromium is installed";

const pages = await buildPages();
const NAMES = ["demo", ...Object.keys(pages)];

const folder = createTemporaryFolder("html");
let browser: Browser | undefined;
before(async () => {
  for (const [name, text] of Object.entries(pages)) await writeFile(join(folder, `${name}.html`), text);
  if (executablePath !== undefined)
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
});
after(async () => {
  await browser?.close();
});

/** Shows a page in a window of its own, and returns everything that it asked for or complained of. */
async function withPage(
  file: string,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<readonly string[]> {
  const { page, events, close } = await openWindow(options);
  try {
    await page.goto(`file://${file}`);
    await use(page);
    return events;
  } finally {
    await close();
  }
}

/** Shows a page in the one window of all tests that set nothing: a window takes a second of CPU. */
async function look(file: string, viewport: ViewportSize = SIZES[0]): Promise<Omit<OpenWindow, "close">> {
  const permissions = ["clipboard-read", "clipboard-write"];
  shared ??= await openWindow({ permissions, reducedMotion: "reduce" });
  const { page, events } = shared;
  // Not a reload, which keeps the place in the page.
  await page.goto("about:blank");
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: null });
  events.length = 0;
  await page.goto(`file://${file}`);
  return { page, events };
}

function getFile(name: string): string {
  return name === "demo" ? DEMO : join(folder, `${name}.html`);
}

/** A window without any network. `events`: what its page asked for or complained of. */
type OpenWindow = { readonly page: Page; readonly events: string[]; readonly close: () => Promise<void> };
let shared: OpenWindow | undefined;

async function openWindow(options: BrowserContextOptions): Promise<OpenWindow> {
  assert.ok(browser !== undefined);
  const context = await browser.newContext({ offline: true, ...options });
  const events: string[] = [];
  const page = await context.newPage();
  page.on("request", (request) => events.push(request.url()));
  page.on("console", (message) => events.push(message.text()));
  page.on("pageerror", (error) => events.push(error.message));
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => events.push("a dialog")));
  return { page, events, close: () => context.close() };
}

for (const name of sampleEach(NAMES, 5))
  describe(`the page ${name}`, { skip }, () => {
    for (const viewport of hasAllCases ? SIZES : SIZES.slice(0, 1))
      test(`the keyboard reaches and operates everything on ${name} at ${viewport.width} px`, async () => {
        const { page } = await look(getFile(name), viewport);
        const all = await page.evaluate<number>(`(${markOperable}).length`);
        await page.evaluate(
          `reached=[],addEventListener("focusin",({target})=>reached.push(operable.indexOf(target)))`,
        );
        for (let i = 0; i < all; i += 1) await page.keyboard.press("Tab");
        assert.deepEqual(await page.evaluate("reached"), [...Array(all).keys()], "Tab follows the order of the page");
        assert.deepEqual(await page.evaluate(findOutOfSight), [], "what has the focus is in sight");
        for (let i = 0; i < all; i += 1) await operate(page, i);
      });

    for (const [i, viewport] of SIZES.entries())
      for (const colorScheme of hasAllCases ? THEMES : THEMES.slice(i, i + 1))
        test(`axe finds nothing on ${name} at ${viewport.width} px, ${colorScheme}`, async () => {
          const { page, events } = await look(getFile(name), viewport);
          await page.emulateMedia({ colorScheme });
          await page.evaluate(openAll);
          await page.evaluate(axe.source);
          const { violations, passes } = await page.evaluate<AxeResult>(runAxe);
          assert.deepEqual(violations, []);
          assert.ok(passes.includes("color-contrast"));
          assert.equal(await page.evaluate(isTooWide), false, "no text is wider than the page");
          assert.deepEqual(events, [`file://${getFile(name)}`], "nothing else is loaded, and nothing goes wrong");
        });
  });

/** Uses one thing as a person does who has no mouse. */
async function operate(page: Page, i: number): Promise<void> {
  const one = `operable[${i}]`;
  const state = `[${one}.parentElement.open,${one}.checked].join()`;
  const [kind = "", before] = await page.evaluate<readonly string[]>(
    `${one}.focus(),[${one}.type||${one}.getAttribute("href")||${one}.localName,${state}]`,
  );
  if (kind === "summary" || kind === "checkbox") {
    await page.keyboard.press("Space");
    assert.notEqual(await page.evaluate(state), before, `Space operates ${kind} ${i}`);
    await page.keyboard.press("Space");
  }
  if (kind.startsWith("#") || kind === "button") await page.keyboard.press("Enter");
  if (kind.startsWith("#")) assert.equal(await page.evaluate("location.hash"), kind);
  if (kind === "button")
    await eventually(async () => assert.equal(await page.evaluate(`${one}.textContent`), "Copied"));
}

/** What a person can operate, in the order of the page. */
const markOperable = `globalThis.operable=[...document.querySelectorAll("a[href],button,input,select,summary,[tabindex]")].filter(one=>one.checkVisibility())`;
const findOutOfSight = `operable.filter(one=>{one.focus();const {top,bottom,left,right}=one.getBoundingClientRect();return bottom<0||top>innerHeight||right<0||left>innerWidth}).map(one=>one.outerHTML)`;

for (const name of NAMES)
  test(`the headings of ${name} are in order, and its links lead somewhere`, { skip }, async () => {
    const { page } = await look(getFile(name));
    const levels = await page.evaluate<number[]>(
      `[...document.querySelectorAll("h1,h2,h3,h4,h5,h6")].map(one=>Number(one.localName[1]))`,
    );
    assert.equal(levels[0], 1);
    assert.deepEqual(
      levels.slice(1).filter((level, i) => level === 1 || level > (levels[i] ?? 0) + 1),
      [],
    );
    const dead = `[...document.querySelectorAll('a[href^="#"]')].map(one=>one.getAttribute("href")).filter(one=>!document.getElementById(one.slice(1)))`;
    assert.deepEqual(await page.evaluate(dead), []);
  });

test("the decision stands before the image, its signature and the risks", { skip }, async () => {
  const { page } = await look(getFile("many"));
  const text = (await page.locator("body").textContent()) ?? "";
  const parts = ["Observed", "Don't update yet.", "Release image", "Signature", "NodeNotReady", "Coverage"];
  const places = parts.map((part) => text.indexOf(part));
  assert.ok(places.every((place) => place >= 0));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});

test("a page says how long ago its cluster was observed", { skip }, async () => {
  await withPage(getFile("full"), {}, async (page) => {
    for (const [now, age] of [
      ["2026-03-01T10:00:30Z", ""],
      ["2026-03-01T11:59:00Z", " (1 hour ago)"],
      ["2026-03-04T10:00:30Z", " (3 days ago)"],
    ] as const) {
      await page.clock.setFixedTime(new Date(now));
      await page.reload();
      assert.equal(await page.locator("header p:has(time)").textContent(), `Observed 2026-03-01 10:00 UTC${age}`);
    }
  });
});

const openAll = `for (const one of document.querySelectorAll("details")) one.open = true`;
const isTooWide = `document.documentElement.scrollWidth > document.documentElement.clientWidth`;

type AxeResult = { readonly violations: readonly string[]; readonly passes: readonly string[] };

/** Every element that passes is in a whole result, which takes longer to copy than to find. */
const runAxe = `axe.run({resultTypes:["violations"]}).then(({violations,passes})=>({violations:violations.flatMap(({id,nodes})=>nodes.map(({html})=>id+": "+html)),passes:passes.map(({id})=>id)}))`;

test("the filter leaves what has all its words, and says how much", { skip }, async () => {
  const { page } = await look(getFile("demo"));
  await page.getByLabel("Filter").fill("SHOP budget");
  assert.deepEqual(await listVisible(page), ["DrainBlockedByDisruptionBudget"]);
  assert.equal(await page.getByRole("status").textContent(), "1 of 6 shown");
  const headings = await page.getByRole("heading", { level: 2 }).allTextContents();
  assert.deepEqual(headings, ["The update gets stuck 1", "Notices 6", "Coverage"]);
  await page.getByLabel("Filter").fill("");
  assert.equal((await listVisible(page)).length, 6);
  assert.equal(await page.getByRole("status").textContent(), "");
});

async function listVisible(page: Page): Promise<readonly string[]> {
  return page.locator("article:visible h3").allTextContents();
}

test("the order changes within each kind of work, and back", { skip: skip || nightly }, async () => {
  const { page } = await look(getFile("demo"));
  const work = await listVisible(page);
  await page.getByLabel("Sort").selectOption("by number of objects");
  assert.deepEqual((await listVisible(page)).slice(3, 5), ["CustomResourceFieldsFrozen", "CrdServedVersionRemoved"]);
  await page.getByLabel("Sort").selectOption("in the order of work");
  assert.deepEqual(await listVisible(page), work);
});

test("the keyboard reaches everything, and copies a command", { skip }, async () => {
  const { page } = await look(getFile("demo"));
  const reached: string[] = [];
  for (
    let presses = 0;
    presses < 80 && reached.at(-1) !== "Documentation of DrainBlockedByDisruptionBudget";
    presses += 1
  ) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate<string>("document.activeElement.textContent || document.activeElement.id"));
    if (await page.evaluate(`document.activeElement.matches(".fold:not([open])>summary")`))
      await page.keyboard.press("Enter");
  }
  assert.deepEqual(reached.slice(0, 5), [
    "1 The update is refused",
    "2 The update gets stuck",
    "2 Something breaks",
    "1 Could not be checked",
    "OperatorIncompatibleWithNextMinor",
  ]);
  assert.ok(reached.includes("filter"));
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

test("without scripts, all of the text is there and no tool that does nothing", { skip }, async () => {
  await withPage(getFile("many"), { javaScriptEnabled: false }, async (page) => {
    assert.equal((await listVisible(page)).length, 6);
    assert.equal(await page.getByLabel("Filter").isVisible(), false);
    assert.equal(await page.getByRole("button").count(), 0);
    await page.locator("#DrainBlockedByDisruptionBudget summary").first().click();
    await page.getByText("60 more objects").click();
    assert.equal(await page.getByText("team-1/budget-1", { exact: true }).isVisible(), true);
  });
});

test("many cards are folded, and the overview leads to each and opens it", { skip }, async () => {
  const { page } = await look(getFile("many"));
  const more = page.getByText("60 more objects");
  assert.equal(await more.isVisible(), false);
  await page.locator("table").getByRole("link", { name: "DrainBlockedByDisruptionBudget" }).click();
  assert.equal(await more.isVisible(), true);
  await page.goto("about:blank");
  await page.goto(`file://${getFile("many")}#DrainBlockedByDisruptionBudget`);
  assert.equal(await more.isVisible(), true);
});

test("few cards stay open", { skip: skip || nightly }, async () => {
  const { page } = await look(getFile("full"));
  assert.equal(await page.locator(".card").count(), 4);
  assert.equal(await page.locator(".fold").count(), 0);
});

test("the filter counts in headings, tiles and the overview what is left", { skip: skip || nightly }, async () => {
  const { page } = await look(getFile("many"));
  const listRows = (): Promise<readonly string[]> =>
    page.evaluate(
      `[...document.querySelectorAll("tbody tr")].filter(one=>one.checkVisibility()).map(one=>one.querySelector("a").hash)`,
    );
  assert.equal((await listRows()).length, 3);
  await page.getByLabel("Filter").fill("nodenotready");
  assert.deepEqual(await listRows(), ["#NodeNotReady"]);
  assert.deepEqual(await page.locator(".tile b").allTextContents(), ["1", "0", "0", "0", "0"]);
  await page.getByLabel("Filter").fill("");
  assert.equal((await listRows()).length, 3);
  assert.deepEqual(await page.locator(".tile b").allTextContents(), ["1", "1", "1", "2", "1"]);
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

test("the clusters of a fleet are filtered", { skip: skip || nightly }, async () => {
  const { page } = await look(getFile("fleet"));
  await page.getByLabel("Filter the clusters").fill("PROD");
  assert.equal(await page.getByRole("status").textContent(), "4 of 12 clusters shown");
  assert.equal(await page.locator("tr[id]:visible").count(), 4);
  assert.equal(await page.locator(".chip:visible").count(), 4);
  const counts = (): Promise<readonly string[]> => page.locator(".tile b").allTextContents();
  assert.deepEqual(await counts(), ["1", "1", "1", "0", "1"]);
  await page.getByLabel("Filter the clusters").fill("");
  assert.deepEqual(await counts(), ["2", "1", "1", "7", "1"]);
});

test(
  "on a phone each cluster is a block that names its risks, and nothing scrolls within the page",
  { skip },
  async () => {
    const { page } = await look(getFile("fleet-large"), SIZES[1]);
    const scrolling = `[...document.querySelectorAll("*")].filter(one=>/auto|scroll/.test(getComputedStyle(one).overflow)&&(one.scrollHeight>one.clientHeight||one.scrollWidth>one.clientWidth)).map(one=>one.outerHTML.slice(0,80))`;
    assert.deepEqual(await page.evaluate(scrolling), []);
    assert.equal(await page.locator("tr[id]:visible").count(), 13);
    const row = page.locator("tr", { hasText: "prod-eu-west-1" });
    assert.deepEqual(await row.locator(".names li:visible").allTextContents(), [
      "ControlPlaneNodeUnusable",
      "CrdServedVersionRemoved",
    ]);
    assert.equal(await row.locator(".mark:visible").count(), 0);
    assert.equal(await row.getByRole("link").first().getAttribute("href"), "preflight-fleet/prod-eu-west-1.html");
    const failed = page.locator("tr", { hasText: "edge-of-the-factory" });
    assert.match((await failed.textContent()) ?? "", /ClusterUnreachable: The API server can't be reached/);
  },
);

test("on a screen the columns of a fleet are headed by the names of its risks", { skip }, async () => {
  const { page } = await look(getFile("fleet-large"));
  const headings = await page.locator("#wave-afterTwo").getByRole("columnheader").allTextContents();
  assert.deepEqual(headings.slice(0, 5), [
    "Cluster",
    "Update",
    "Result",
    "ConditionalUpdateRiskApplies",
    "ControlPlaneNodeUnusable",
  ]);
  assert.deepEqual(await page.locator(".tile").allTextContents(), [
    "4 clear now",
    "8 after two fixes",
    "1 can't be said",
  ]);
});

test("the tiles of many clusters lead to their rows in waves that are folded", { skip: skip || nightly }, async () => {
  const texts = Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`prod-${i}`, TEXTS["prod-broken"] ?? ""]));
  await writeFile(join(folder, "folded.html"), formatFleetHtml(await readSample(texts)));
  const { page } = await look(join(folder, "folded.html"));
  const row = page.locator("tr[id]", { hasText: "prod-17" });
  assert.equal(await row.isVisible(), false);
  await page.getByRole("link", { name: "prod-17 (after one fix)" }).click();
  assert.equal(await row.isVisible(), true);
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
