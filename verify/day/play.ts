import assert from "node:assert/strict";
import { join } from "node:path";
import { applyObjects } from "../api-server/apply-objects.ts";
import type { ControlPlane } from "../api-server/control-plane.ts";
import { type AdminShell, openAdminShell } from "../shared/admin-shell.ts";
import { eventually } from "../shared/eventually.ts";
import { runPreflight } from "../shared/preflight.ts";
import type { DayFault } from "./fault.ts";
import { buildOlmCrds } from "./olm-crds.ts";
import { type ScreenRisk, countLines, findCard, findNextRisk, findParagraph, readStates } from "./screen.ts";

/** One risk, mended: what was done, where it stood, and what the second look said of it in how many lines. */
export type DayStep = {
  readonly risk: string;
  readonly what: string;
  /** The commands that were run, or the words that were followed. */
  readonly done: readonly string[];
  /** The lines of `-o wide` that were read besides, because the screen's were cut; none if it said enough. */
  readonly cardLines: number;
  readonly lookLines: number;
  /** Not if the whole check was run again. */
  readonly isSecondLook: boolean;
  readonly state: string;
};

export type Day = {
  /** Of the first screen. */
  readonly lines: number;
  readonly steps: readonly DayStep[];
  /** The last look, at everything. */
  readonly lastLines: number;
  readonly lastCode: number | null;
};

const RESULT = "result.json";

type World = { readonly cluster: ControlPlane; readonly target: string; readonly folder: string };

/** Plants the faults, and mends one after the other as an administrator who does what stands on the screen, in its order. */
export async function playDay(world: World, faults: readonly DayFault[], say: (line: string) => void): Promise<Day> {
  const { cluster, folder } = world;
  await applyObjects(cluster, buildOlmCrds());
  // A kind is served a moment after its definition.
  for (const { plant } of faults) await eventually(async () => plant?.(cluster));
  const result = join(folder, RESULT);
  const outputs = ["-o", "table", "-o", `json=${result}`];
  const first = await look(world, outputs);
  const shell = await openAdminShell(cluster.env);
  const steps: DayStep[] = [];
  try {
    let latest = first.out;
    for (let risk = findNextRisk(latest); risk !== undefined; risk = findNextRisk(latest)) {
      const fault = faults.find((one) => one.risk === risk) ?? assert.fail(`${risk} was not planted:\n${latest}`);
      const done = await mend(world, fault, [latest, first.out], shell);
      const second = await lookAgain(world, fault, outputs);
      assert.ok(second.state !== undefined, `${risk} after ${done.done.join(", ")}:\n${second.out}${second.err}`);
      const lookLines = countLines(second.out);
      steps.push({
        ...done,
        risk,
        what: fault.what,
        lookLines,
        isSecondLook: second.isSecondLook,
        state: second.state,
      });
      say(`${risk}: ${second.state}, ${lookLines} lines`);
      latest = second.out;
    }
  } finally {
    await shell.close();
  }
  const last = await look(world, ["--recheck", result, "--all", "-o", "table"]);
  return { lines: countLines(first.out), steps, lastLines: countLines(last.out), lastCode: last.code };
}

function look({ cluster, target }: World, flags: readonly string[]): ReturnType<typeof runPreflight> {
  return runPreflight(["check", "--kubeconfig", cluster.kubeconfig, "--target", target, ...flags]);
}

/** What became of the risk; undefined if it is still there. */
async function lookAgain(world: World, { risk, mending }: DayFault, outputs: readonly string[]) {
  if (mending.kind === "do" && mending.isAnotherUpdate === true) {
    const anew = await look(world, outputs);
    const isGone = findParagraph(anew.out, risk) === undefined;
    return { ...anew, isSecondLook: false, state: isGone ? "gone from a whole check" : undefined };
  }
  const second = await look(world, ["--recheck", join(world.folder, RESULT), ...outputs]);
  const state = readStates(second.out).get(risk);
  return { ...second, isSecondLook: true, state: state === "fixed" ? state : undefined };
}

type Done = Pick<DayStep, "done" | "cardLines">;

async function mend(world: World, fault: DayFault, screens: readonly string[], shell: AdminShell): Promise<Done> {
  const { risk, mending } = fault;
  const short = screens.flatMap((screen) => findParagraph(screen, risk) ?? [])[0];
  const read = short !== undefined && saysEnough(short, fault) ? short : undefined;
  const shown = read ?? (await readCard(world, risk));
  const cardLines = read === undefined ? shown.lines : 0;
  assert.ok(saysEnough(shown, fault), `nothing tells how to mend ${risk}: ${shown.text}`);
  if (mending.kind === "do") {
    await mending.act(world.cluster);
    return { done: [mending.says], cardLines };
  }
  const done = shown.fixes.map((command) => fill(command, mending.choices ?? {}));
  for (const command of done) {
    const { code, output } = await shell.run(command);
    assert.equal(code, 0, `${command}: ${output}`);
  }
  await mending.afterwards?.(world.cluster);
  return { done, cardLines };
}

function saysEnough({ text, fixes }: ScreenRisk, { mending }: DayFault): boolean {
  return mending.kind === "fix" ? fixes.length > 0 : text.includes(mending.says);
}

async function readCard(world: World, risk: string): Promise<ScreenRisk> {
  const { out } = await look(world, ["-o", "wide"]);
  return findCard(out, risk) ?? assert.fail(`-o wide says nothing of ${risk}:\n${out}`);
}

function fill(command: string, choices: Readonly<Record<string, string>>): string {
  return command.replaceAll(
    /<([a-z-]+)>/g,
    (placeholder, name: string) => choices[name] ?? assert.fail(`${placeholder} of ${command} is nobody's choice`),
  );
}
