import { type FixRow, type TriedFixes, isTried } from "../../verify/fixes/fix-table.ts";
import type { CommandUse } from "../../src/model/commands.ts";
import { formatPage, formatTable } from "../../verify/shared/markdown.ts";

/** docs/fixes.md: which of the printed commands have removed their fault on a real API server. */
export function formatFixesPage(heading: string, rows: readonly FixRow[], tried: TriedFixes): string {
  const count = (use: CommandUse): number => rows.filter(({ uses }) => uses.includes(use)).length;
  return formatPage(
    heading,
    "# Which commands were tried",
    METHOD,
    KINDS,
    DONE,
    `The commands of ${rows.filter((row) => isTried(row, tried)).length} risks have done so. Those of ${count("with a choice")} risks have a placeholder for what only an administrator can choose, and those of ${count("in an editor")} open an editor: they are not tried. A known bug that isn't listed has no command: its remedy is another target, or depends on the cluster.`,
    formatTable(
      ["check", "risk", "command", "kind"],
      rows.map((row) => [row.check, row.risk, describeUses(row, tried), row.kinds.join(" or ")]),
    ),
  );
}

const METHOD =
  "`test/integration/replay.test.ts` loads each risk case into a real API server, runs the commands that `fix` prints, unchanged, and checks that the finding is gone: up to two cases of each risk, on clusters of thirteen releases with `PREFLIGHT_CASES=all`, as `nightly.yml` does. Each change tries a sample of them, on a cluster of 4.18. With `UPDATE=1` beside it, it records the commands that did so in `verify/fixes/tried-fixes.json`; a command that has changed since counts as not tried. The test also runs each risk's `see`, which must succeed while the fault stands. The API server has no controllers: for disruption budgets the test writes the status as the disruption controller does.";

const DONE =
  "**Done as said**: where no command can be tried, a case says what is so once a step of the risk's text is done (`remedies`). `test/checks/remedies.test.ts` checks that the text has these words, that the finding is gone then, and that no other risk of the check has come. A known bug's fixture does the same in `test/checks/known-bugs-remedies.test.ts`, without the words.";

const KINDS =
  "Reports show beside each command what it does at worst. **Safe** changes nothing that runs or serves, and can be undone. **Disruptive** restarts, drains or deletes something, or interrupts somebody. **Weakening** takes away a protection. The README of each check says why its commands are what they are.";

function describeUses(row: FixRow, tried: TriedFixes): string {
  const { uses, noCommand, notTried, remedies = [], isRemedied } = row;
  const isDone = isRemedied === true || remedies.some(({ why }) => why === undefined);
  const done = isDone ? "; done as said" : remedies.map(({ why }) => `; not done: ${why}`).join("");
  if (noCommand !== undefined) return `none: ${noCommand}${done}`;
  if (notTried !== undefined) return `not tried: ${notTried}${done}`;
  const texts: Readonly<Record<CommandUse, string>> = {
    "as printed": isTried(row, tried) ? "tried as printed" : "not tried yet",
    "with a choice": "placeholders",
    "in an editor": "opens an editor",
  };
  const said = uses.map((use) => texts[use]).join("; for other findings ");
  return isTried(row, tried) && uses.length === 1 ? said : `${said}${done}`;
}
