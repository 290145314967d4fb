// npm run new-check ID creates a working check in src/checks with its README and cases, and adds it to the registry.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildCaseFiles } from "./new-check/cases.ts";
import { formatCheck, formatReadme, formatRisks } from "./new-check/templates.ts";
import { type CheckNames, buildCheckNames } from "./new-check/names.ts";
import { addCheck } from "./new-check/registry.ts";

const CHECKS = join(import.meta.dirname, "..", "src", "checks");

function main(args: readonly string[]): number {
  const [id, ...more] = args;
  if (id === undefined || more.length > 0) return refuse("name one id: npm run new-check my-check");
  const names = buildCheckNames(id);
  if ("refused" in names) return refuse(names.refused);
  if (existsSync(join(CHECKS, id))) return refuse(`src/checks/${id} already exists: choose another id`);
  writeFiles(names);
  console.log(formatNextSteps(id));
  return 0;
}

function refuse(why: string): number {
  console.error(`new-check: ${why}`);
  return 2;
}

function writeFiles(names: CheckNames): void {
  const index = join(CHECKS, "registry.ts");
  const registry = addCheck(readFileSync(index, "utf8"), names.id);
  const files = {
    "check.ts": formatCheck(names),
    "risks.ts": formatRisks(names),
    "README.md": formatReadme(names),
    ...buildCaseFiles(),
  };
  for (const [file, text] of Object.entries(files)) {
    const path = join(CHECKS, names.id, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync(index, registry);
}

function formatNextSteps(id: string): string {
  return `Made src/checks/${id} with four cases, and listed it in src/checks/registry.ts. Next:

  1. Write what the cases expect into them, and run them:
       UPDATE=1 npm test -- --check ${id}
       npm test -- --check ${id}
  2. Change the example into your check: what it reads and judges in check.ts, the texts in risks.ts, the cases, the README.
     Wherever a text begins with "Say here", say it; npm test fails as long as one does.
  3. npm run format, npm run generate (rights and docs/checks.md), npm run check.

docs/writing-a-check.md tells how, and what a review looks at.`;
}

process.exitCode = main(process.argv.slice(2));
