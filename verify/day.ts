/** Thirteen faults, each mended as the screen says it: `npm run day`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPayload, noControlPlane, startCluster } from "./api-server/control-plane.ts";
import { FAULTS } from "./day/faults.ts";
import { formatDay } from "./day/page.ts";
import { playDay } from "./day/play.ts";
import { COMMON, endWithout, requireFlags } from "./shared/flags.ts";
import { updatePage } from "./shared/markdown.ts";

const { values } = requireFlags({
  command: "npm run day --",
  about: "Plants thirteen faults, and does what the screen says of each, with a second look after each.",
  flags: { write: COMMON.write },
});
if (noControlPlane) endWithout(noControlPlane);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const folder = mkdtempSync(join(tmpdir(), "preflight-day-"));
const cluster = await startCluster("4.20");
try {
  const target = await createPayload(join(folder, "target"), "4.21", "4.21.3");
  const day = await playDay({ cluster, target, folder }, FAULTS, say);
  const text = formatDay(day);
  say(text);
  if (values.write) updatePage("docs/administrators-day.md", { day: text }, "npm run day -- --write");
  process.exitCode = day.steps.length === FAULTS.length && day.lastCode === 0 ? 0 : 1;
} finally {
  await cluster.discard();
  rmSync(folder, { recursive: true, force: true });
}
