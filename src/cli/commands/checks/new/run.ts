import { lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { quoteArgument } from "../../../../model/commands.ts";
import { UsageError, failWith } from "../../../../model/errors.ts";
import type { Io } from "../../../io/io.ts";
import type { NewCheckValues } from "./definition.ts";
import { buildCheckNames } from "./names.ts";
import { buildCheckFiles } from "./template.ts";

/** Writes the files of a check, and nothing if one of them is there. */
export async function run({ id, folder = id }: NewCheckValues, io: Io): Promise<0> {
  const names = buildCheckNames(id);
  if ("refused" in names) throw new UsageError(names.refused);
  const files = Object.entries(buildCheckFiles(names)).map(([name, text]) => ({ file: join(folder, name), text }));
  for (const { file } of files)
    if (await isThere(file)) throw new UsageError(`${file} is there already: choose another folder`);
  for (const { file, text } of files) await writeNewFile(file, text).catch(failWith(`${file} can't be written`));
  io.err(formatNextSteps(quoteArgument(folder)));
  return 0;
}

function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

async function writeNewFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { flag: "wx" });
}

function formatNextSteps(folder: string): string {
  return `Wrote a check with four cases to ${folder}. Change it into your own, and run:

  preflight checks lint ${folder}                     finds mistakes
  preflight checks test ${folder}                     runs the cases; --update writes what they expect
  preflight check --checks ${folder} --to VERSION     runs the check on your cluster
`;
}
