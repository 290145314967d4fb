import { spawn } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SHARED } from "../api-server/control-plane.ts";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const COPIED = ["package.json", "schemas", "src", "test", "tools", "tsconfig.json", "verify"];

/** A fault that is planted in a copy of the engine: `from` occurs once in the file below src/schema. */
type Mutant = { readonly file: string; readonly from: string; readonly to: string };

export const MUTANTS: readonly Mutant[] = [
  { file: "openapi/numbers.ts", from: '"maximum" ? limits.exclusiveMaximum', to: '"maximum" ? false' },
  { file: "openapi/equality.ts", from: "times === 2", to: "times === 3" },
  { file: "crd/objects/stored-object.ts", from: "item === null && fallback !== undefined ?", to: "false ?" },
  {
    file: "openapi/equality.ts",
    from: 'listType?.kind !== "map") return undefined',
    to: "true) return undefined",
  },
  { file: "crd/writes/typed-object.ts", from: 'return typeof item !== "object";', to: "return true;" },
  { file: "openapi/addresses.ts", from: "Number(prefix) <= 32", to: "Number(prefix) < 32" },
  { file: "crd/rules/rule-validation.ts", from: "if (!isError && rule.usesOldSelf", to: "if (rule.usesOldSelf" },
  { file: "cel/values/text.ts", from: "start < 0n || start > size", to: "start < 0n || start >= size" },
  { file: "cel/cost/coster.ts", from: "if (length < capacity)", to: "if (length > capacity)" },
  { file: "cel/check/type-check.ts", from: "isLessSpecific(a, b) ? a : b", to: "isLessSpecific(a, b) ? b : a" },
  { file: "crd/writes/embedded-resource.ts", from: 'yield* validateText("kind", kind);', to: "" },
  {
    file: "openapi/structure.ts",
    from: "if (isRoot || schema.embedded) requireResource",
    to: "if (isRoot) requireResource",
  },
];

/** `crashed`: the comparison ended without saying whether anything differs, which finds nothing. */
export type MutantOutcome = {
  readonly file: string;
  readonly kind: "found" | "missed" | "crashed";
  readonly seconds: number;
};

/** How a comparison ends, by its exit code. */
export const EXIT_CODES = { same: 0, different: 1, crashed: 3 } as const;

/** Compares in a copy of the project, with a fault or without, and resolves with the exit code; null after a signal. */
export type Compare = (mutant: Mutant | undefined, form: Form) => Promise<number | null>;

/** As many verdicts with each opponent, however long the machine takes for them. */
type Form = { readonly seed: number; readonly verdicts: number };

/**
 * Plants one fault after the other in a copy of the project, and compares there until something differs. Rejects if something does without
 * a fault: any of them would then be found.
 */
export async function* findMutants(
  form: Form,
  now: () => number,
  compare: Compare = compareInCopy,
): AsyncGenerator<MutantOutcome> {
  const code = await compare(undefined, form);
  if (code !== EXIT_CODES.same) throw new Error(`without a fault, the comparison ends with ${code ?? "a signal"}`);
  for (const mutant of MUTANTS) {
    const begun = now();
    const kind = nameOutcome(await compare(mutant, form));
    yield { file: mutant.file, kind, seconds: Math.round((now() - begun) / 1000) };
  }
}

function nameOutcome(code: number | null): MutantOutcome["kind"] {
  if (code === EXIT_CODES.different) return "found";
  return code === EXIT_CODES.same ? "missed" : "crashed";
}

function compareInCopy(mutant: Mutant | undefined, form: Form): Promise<number | null> {
  return withTemporaryFolder("mutant", (folder) => {
    for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    if (mutant) plant(mutant, folder);
    return runUntilDifference(folder, form);
  });
}

function plant({ file, from, to }: Mutant, folder: string): void {
  const path = join(folder, "src/schema", file);
  const parts = readFileSync(path, "utf8").split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times ${from}`);
  writeFileSync(path, parts.join(to));
}

function runUntilDifference(folder: string, { seed, verdicts }: Form): Promise<number | null> {
  const form = ["--seed", String(seed), "--verdicts", String(verdicts), "--tests", "some", "--stop"];
  const args = ["--disable-warning=ExperimentalWarning", "verify/differential.ts", ...form];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, PREFLIGHT_SHARED: SHARED },
    stdio: "ignore",
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
}
