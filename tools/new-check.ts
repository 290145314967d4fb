// npm run new-check ID creates a working check in src/checks with its README and cases, and adds it to the registry. With --data, the check is
// YAML, and needs no registry.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CheckNames, buildCheckNames } from "../src/cli/commands/checks/new.ts";
import { addCheck } from "./new-check/registry.ts";

const ROOT = join(import.meta.dirname, "..");
const CHECKS = join(ROOT, "src", "checks");
const REGISTRY = join(CHECKS, "registry.ts");
const TEMPLATE = join(ROOT, "tools", "new-check", "template");
const FORMATTER = join(ROOT, "node_modules", "oxfmt", "bin", "oxfmt");

function main(args: readonly string[]): number {
  const [id, ...more] = args.filter((word) => word !== "--data");
  if (id === undefined || more.length > 0 || id.startsWith("-"))
    return refuse("name one id: npm run new-check my-check, or npm run new-check -- --data my-check");
  const names = buildCheckNames(id);
  if ("refused" in names) return refuse(names.refused);
  if (existsSync(join(CHECKS, id))) return refuse(`src/checks/${id} already exists: choose another id`);
  // "npm run new-check --data my-check", without the dashes before it: npm keeps the option to itself.
  const isData = args.includes("--data") || process.env["npm_config_data"] !== undefined;
  writeFiles(names, isData ? "data" : "typescript");
  if (!isData) writeFileSync(REGISTRY, addCheck(readFileSync(REGISTRY, "utf8"), id));
  // The names' lengths decide how wide a table is.
  execFileSync(process.execPath, [FORMATTER, "--write", join(CHECKS, id)]);
  console.log(formatNextSteps(id, isData));
  return 0;
}

function refuse(why: string): number {
  console.error(`new-check: ${why}`);
  return 2;
}

/** Copies what every new check has, and what this form of it has, under the check's names. */
function writeFiles({ id, name }: CheckNames, form: "data" | "typescript"): void {
  for (const part of ["shared", form])
    for (const file of globSync("**/*.txt", { cwd: join(TEMPLATE, part) })) {
      const text = readFileSync(join(TEMPLATE, part, file), "utf8");
      const path = join(CHECKS, id, file.replace(/\.txt$/, ""));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text.replaceAll("my-check", id).replaceAll("MyCheck", name));
    }
}

function formatNextSteps(id: string, isData: boolean): string {
  const made = isData ? "" : ", and listed it in src/checks/registry.ts";
  const parts = isData
    ? "what it reads, judges and says in check.yaml"
    : "what it reads and judges in check.ts, the texts in risks.yaml";
  return `Made src/checks/${id} with four cases${made}. Next:

  1. Write what the cases expect into them, and run them:
       UPDATE=1 npm test -- --check ${id}
       npm test -- --check ${id}
  2. Change the example into your check: ${parts}, the cases, the README.
     Wherever a text begins with "Say here", say it; npm test fails as long as one does.
  3. npm run format, npm run generate (rights and docs/checks.md), npm run check.

docs/writing-a-check.md tells how, and what a review looks at.`;
}

process.exitCode = main(process.argv.slice(2));
