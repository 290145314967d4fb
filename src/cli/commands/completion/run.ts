import { findOwn } from "../../../model/optional.ts";
import { UsageError } from "../../../model/errors.ts";
import { SCRIPTS } from "./scripts.ts";
import type { CompletionValues } from "./definition.ts";
import type { Io } from "../../io/io.ts";

/** Prints a script that asks the program itself for words, so that completion follows from the settings. */
export async function run({ shell = "bash" }: CompletionValues, io: Io): Promise<0> {
  const script = findOwn(SCRIPTS, shell);
  if (script === undefined)
    throw new UsageError(`no completion for "${shell}": choose one of ${Object.keys(SCRIPTS).join(", ")}`);
  io.out(script);
  return 0;
}
