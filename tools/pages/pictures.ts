import { buildDemoFleetPage } from "./demo-fleet.ts";
import { runDemo } from "./demo-output.ts";
import { formatPagePicture } from "./page-picture.ts";
import { formatReadinessPage } from "./readiness-page.ts";
import { formatTerminalPicture } from "./terminal-picture.ts";
import { THEMES } from "./theme.ts";

/** After the demo's newest object. */
const NOW = new Date("2026-03-02T10:00:00Z");

/** More than one screen is for reading, not for looking at. */
const TERMINAL_LINES = 44;

/** The pictures of README.md and docs/console.md in each theme, by file; the working directory is the project's. */
export async function buildPictures(): Promise<ReadonlyMap<string, string>> {
  const terminal = await runDemo([], { now: NOW, isOutTerminal: true });
  const report = await runDemo(["-o", "html"], { now: NOW, isOutTerminal: false });
  const readiness = await runDemo(["-o", "readiness"], { now: NOW, isOutTerminal: false });
  const fleet = await buildDemoFleetPage();
  const pictures = THEMES.flatMap((theme): readonly (readonly [string, string])[] => [
    [`terminal-${theme}.svg`, formatTerminalPicture("The demo in a terminal", terminal, TERMINAL_LINES, theme)],
    [`report-${theme}.svg`, formatPagePicture("The demo as a page", report, { width: 960, height: 900 }, theme)],
    [
      `readiness-${theme}.svg`,
      formatPagePicture(
        "The demo on an update page",
        formatReadinessPage(readiness),
        { width: 960, height: 1500 },
        theme,
      ),
    ],
    [`fleet-${theme}.svg`, formatPagePicture("A fleet as a page", fleet, { width: 1100, height: 1200 }, theme)],
  ]);
  return new Map(pictures);
}
