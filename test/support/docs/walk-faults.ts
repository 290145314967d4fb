import { dirname, join } from "node:path/posix";

export type Walk = { readonly title: string; readonly steps: readonly Step[] };
type Step = { readonly number: number; readonly caller: number; readonly file: string; readonly name: string };

const STEP = /^(\d+)\. (?:from (\d+): )?`([^`]+)` `([^`]+)` \S/;

/** Each section is a walk. A line of a list that is no step has no file. */
export function parseWalks(page: string): readonly Walk[] {
  const sections = page.split(/^## /m).slice(1);
  return sections.map((section) => {
    const [title = "", ...lines] = section.split("\n");
    return { title, steps: lines.filter((line) => /^\d+\. /.test(line)).map(parseStep) };
  });
}

function parseStep(line: string): Step {
  const [, digits = "", from, file = "", name = ""] = STEP.exec(line) ?? [];
  return { number: Number(digits), caller: Number(from ?? Number(digits) - 1), file, name };
}

/** Steps that their caller neither imports nor calls. `read` returns a file's text, or undefined if it does not exist. */
export function findWalkFaults({ title, steps }: Walk, read: (file: string) => string | undefined): readonly string[] {
  return steps.flatMap((step) => {
    const fault = findStepFault(
      step,
      steps.find(({ number }) => number === step.caller),
      read,
    );
    return fault === undefined ? [] : [`${title}, step ${step.number}: ${fault}`];
  });
}

function findStepFault(
  { number, file, name }: Step,
  caller: Step | undefined,
  read: (file: string) => string | undefined,
): string | undefined {
  const text = read(file);
  if (text === undefined) return `${file || "a file"} does not exist`;
  const isOwn = caller?.file === file;
  if (!defines(text, name, isOwn)) return `${file} does not define ${name}`;
  if (number === 1) return undefined;
  if (caller === undefined || caller.number >= number) return "no step above calls it";
  const calls = isOwn ? callsOwn : imports;
  return (name.startsWith(".") ? callsMethod : calls)(read(caller.file) ?? "", caller.file, { file, name }, read)
    ? undefined
    : `${caller.file} does not call ${name}`;
}

/** An export by its name, or what the caller beside it calls; a method, of an object whose type the caller knows, by its name with a point. */
function defines(text: string, name: string, isOwn: boolean): boolean {
  return name.startsWith(".")
    ? new RegExp(`^\\s+(?:async )?${name.slice(1)}(?:\\(|[:,]| =)`, "m").test(text)
    : new RegExp(`^${isOwn ? "(?:export )?" : "export "}(?:async )?(?:function\\*?|const) ${name}\\b`, "m").test(text);
}

function callsMethod(text: string, _file: string, { name }: Pick<Step, "file" | "name">): boolean {
  return text.includes(`${name}(`);
}

/** Besides where it is defined. */
function callsOwn(text: string, _file: string, { name }: Pick<Step, "file" | "name">): boolean {
  return (text.match(new RegExp(`\\b${name}\\b`, "g")) ?? []).length > 1;
}

const RE_EXPORT = /^export \{([^}]*)\} from "([^"]+)";/gm;
const STATIC_IMPORT = /^import \{([^}]*)\} from "([^"]+)";/gm;
const DYNAMIC_IMPORT = /(?:const \{([^}]*)\} = await |=> )import\("([^"]+)"\)/g;

/** Imports of values, also by the entry of a folder; what is imported is used, as the linter holds. A command's definition imports its code for `run`. */
function imports(
  text: string,
  file: string,
  callee: Pick<Step, "file" | "name">,
  read: (file: string) => string | undefined,
): boolean {
  const entries = [STATIC_IMPORT, DYNAMIC_IMPORT].flatMap((pattern) => findModules(text, file, pattern, callee.name));
  return entries.some(
    (entry) =>
      entry === callee.file || findModules(read(entry) ?? "", entry, RE_EXPORT, callee.name).includes(callee.file),
  );
}

/** The files from which a file has a name. */
function findModules(text: string, file: string, pattern: RegExp, name: string): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, names = "run", from = ""]) =>
    names.split(",").some((one) => one.trim() === name) ? [join(dirname(file), from)] : [],
  );
}
