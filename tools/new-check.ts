// npm run new-check ID creates a working check in src/checks with its README and cases, and adds it to the registry. With --data, the check is
// YAML, as "preflight checks new" writes it.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CheckNames, buildCheckNames, buildCheckFiles } from "../src/cli/commands/checks/new.ts";
import { addCheck } from "./new-check/registry.ts";

const ROOT = join(import.meta.dirname, "..");
const CHECKS = join(ROOT, "src", "checks");
const TEMPLATE = join(ROOT, "tools", "new-check", "template");
const FORMATTER = join(ROOT, "node_modules", "oxfmt", "bin", "oxfmt");

function main(args: readonly string[]): number {
  const [id, ...more] = args.filter((word) => word !== "--data");
  if (id === undefined || more.length > 0 || id.startsWith("-"))
    return refuse("name one id: npm run new-check my-check, or npm run new-check -- --data my-check");
  const names = buildCheckNames(id);
  if ("refused" in names) return refuse(names.refused);
  if (existsSync(join(CHECKS, id))) return refuse(`src/checks/${id} already exists: choose another id`);
  const isData = args.includes("--data");
  if (isData) writeData(names);
  else writeFiles(names);
  // The names' lengths decide how wide a table is.
  execFileSync(process.execPath, [FORMATTER, "--write", join(CHECKS, id)]);
  console.log(isData ? formatNextDataSteps(id) : formatNextSteps(id));
  return 0;
}

function refuse(why: string): number {
  console.error(`new-check: ${why}`);
  return 2;
}

function writeData(names: CheckNames): void {
  for (const [file, text] of Object.entries(buildCheckFiles(names))) writeInto(join(CHECKS, names.id), file, text);
}

/** Copies the template under the check's names. */
function writeFiles({ id, name }: CheckNames): void {
  const index = join(CHECKS, "registry.ts");
  const folder = join(CHECKS, id);
  const registry = addCheck(readFileSync(index, "utf8"), id);
  for (const file of globSync("**/*.txt", { cwd: TEMPLATE })) {
    const text = readFileSync(join(TEMPLATE, file), "utf8").replaceAll("my-check", id).replaceAll("MyCheck", name);
    writeInto(folder, file.replace(/\.txt$/, ""), text);
  }
  writeFileSync(index, registry);
}

function writeInto(folder: string, file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function formatNextDataSteps(id: string): string {
  return `Made src/checks/${id} with four cases. Next:

  1. Change the example into your check: what it reads, judges and says in check.yaml, the cases, the README.
  2. Write what the cases expect into them, and run them:
       UPDATE=1 npm test -- --check ${id}
       npm test -- --check ${id}
  3. npm run format, npm run generate (rights and docs/checks.md), npm run check.

docs/writing-a-check.md tells how, and what a review looks at.`;
}

function formatNextSteps(id: string): string {
  return `Made src/checks/${id} with four cases, and listed it in src/checks/registry.ts. Next:

  1. Write what the cases expect into them, and run them:
       UPDATE=1 npm test -- --check ${id}
       npm test -- --check ${id}
  2. Change the example into your check: what it reads and judges in check.ts, the texts in risks.yaml, the cases, the README.
     Wherever a text begins with "Say here", say it; npm test fails as long as one does.
  3. npm run format, npm run generate (rights and docs/checks.md), npm run check.

docs/writing-a-check.md tells how, and what a review looks at.`;
}

process.exitCode = main(process.argv.slice(2));
