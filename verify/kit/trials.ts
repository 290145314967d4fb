import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import schema from "../../schemas/preflight-v1.schema.json" with { type: "json" };
import { findMutants } from "../mutants/find-mutants.ts";
import { formatMutant, type Mutant } from "../mutants/mutation.ts";
import type { Reached, Switchboard } from "../mutants/switchboard.ts";
import type { KitItem, Parser } from "./kit-items.ts";
import type { JudgedMutant } from "./matrix.ts";
import { findSchemaChanges, type SchemaChange } from "./schema-changes.ts";

const PARSER = pathToFileURL(join(import.meta.dirname, "../../src/format/document/document-parser.ts")).href;

/** An item with what it goes through once everything is loaded. */
type MeasuredItem = KitItem & { readonly reached: Reached; readonly steps: number };

/** Asks the items about one change of a program. */
export type Trial = () => Promise<JudgedMutant>;

/** The trials of all mutants that an item reaches, and how many no trial can be made of. */
export async function openTrials(root: string, items: readonly KitItem[], board: Switchboard) {
  // What runs once alone, as while files are loaded, would not run again.
  board.takeReached();
  for (const item of items) if (!(await item.passes())) throw new Error(`without a mutant, ${item.name} does not pass`);
  const once = board.takeReached();
  const measured: MeasuredItem[] = [];
  for (const item of items) measured.push(await measure(item, board));
  const code = Object.keys(once).flatMap((file) => findMutants(file, readFileSync(join(root, file), "utf8")).mutants);
  const trials = code.flatMap((mutant) => {
    const askable = measured.filter(({ reached }) => reached[mutant.file]?.includes(mutant.place));
    return askable.length === 0 ? [] : [buildCodeTrial(mutant, askable, board)];
  });
  const isOnce = ({ file, place }: Mutant): boolean => once[file]?.includes(place) ?? false;
  const leftOut = code.filter(isOnce).length - trials.length;
  const notReached = code.length - leftOut - trials.length;
  const changes = findSchemaChanges(schema).map((change, i) => buildSchemaTrial(change, i, measured));
  return { trials: [...trials, ...changes], leftOut, notReached };
}

async function measure(item: KitItem, board: Switchboard): Promise<MeasuredItem> {
  board.restart(Infinity);
  await item.passes();
  return { ...item, steps: board.getSteps(), reached: board.takeReached() };
}

function buildCodeTrial(mutant: Mutant, items: readonly MeasuredItem[], board: Switchboard): Trial {
  const label = formatMutant(mutant);
  const folders = mutant.file.split("/").slice(0, mutant.file.startsWith("src/format/") ? 3 : 2);
  const notices = async ({ passes, steps }: MeasuredItem): Promise<boolean> => {
    const most = steps * 20 + 1_000_000;
    board.restart(most);
    board.turnOn(mutant.file, mutant.number);
    const isPassed = await passes().catch(() => false);
    board.turnOff();
    // The program may have caught what ended it.
    const isEndless = board.getSteps() > most;
    board.restart(Infinity);
    return !isPassed || isEndless;
  };
  return async () => ({ label, part: folders.join("/"), by: await findNoticing(items, notices) });
}

/** The parser is loaded anew, since it keeps what it has compiled. */
function buildSchemaTrial({ label, apply, undo }: SchemaChange, index: number, items: readonly MeasuredItem[]): Trial {
  return async () => {
    apply();
    const parser: Parser = await import(`${PARSER}?schema=${index}`);
    const by = await findNoticing(items, async ({ passes }) => !(await passes(parser).catch(() => false)));
    undo();
    return { label, part: "schema", by };
  };
}

async function findNoticing(
  items: readonly MeasuredItem[],
  notices: (item: MeasuredItem) => Promise<boolean>,
): Promise<readonly string[]> {
  const by: string[] = [];
  for (const item of items) if (await notices(item)) by.push(item.name);
  return by;
}
