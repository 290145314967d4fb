import { loadKubeconfig } from "../../cluster/access/loading-rules.ts";
import type { Io } from "../io/io.ts";
import { toLine } from "../../model/visible-text.ts";
import { findOwn } from "../../model/json.ts";
import { type Command, isList, requiresValue, type Setting } from "../settings/command.ts";
import {
  DEFAULT_COMMAND,
  countNameWords,
  findCommand,
  findGroup,
  getOwnWord,
  listFirstWords,
  listGroupCommands,
} from "../commands/index.ts";
import { getPlaceholder, PLAIN_COMMANDS, RUNNER_TOPIC } from "./help-page.ts";

/** Prints what can stand for the last of the words after "--": a candidate a line, with " -- " before its description. */
export async function runComplete(argv: readonly string[], io: Io): Promise<number> {
  const words = argv[0] === "--" ? argv.slice(1) : argv;
  const candidates = await complete(words, {
    contexts: (kubeconfig) => listContexts(kubeconfig, io),
    checks: async () => (await import("./completion-names.ts")).listChecks(),
    risks: async () => (await import("./completion-names.ts")).listRisks(),
    cases: async (given) => (await import("./completion-names.ts")).listCaseNames(given),
  });
  const lines = candidates.map(({ word, describe }) =>
    describe === undefined ? word : `${word} -- ${toLine(describe)}`,
  );
  for (const line of lines) io.out(`${line}\n`);
  return 0;
}

/** From the kubeconfig alone: completion must not wait for a cluster. */
async function listContexts(kubeconfig: string | undefined, io: Io): Promise<readonly Candidate[]> {
  try {
    // The shell expands it only when the command runs.
    const path = kubeconfig?.replace(/^~(?=\/)/, io.env["HOME"] ?? "~");
    const { contexts } = await loadKubeconfig({ env: io.env, kubeconfig: path });
    return [...contexts.keys()].toSorted().map((word) => ({ word }));
  } catch {
    return [];
  }
}

/** One word that can stand at the cursor. FILES and FOLDERS leave it to the shell. */
export type Candidate = { readonly word: string; readonly describe?: string };

const FILES: Candidate = { word: ":files" };
const FOLDERS: Candidate = { word: ":folders" };

/** Where names come from that are not in the settings. */
type NameSources = {
  readonly contexts: (kubeconfig: string | undefined) => Promise<readonly Candidate[]>;
  readonly checks: () => Promise<readonly Candidate[]>;
  readonly risks: () => Promise<readonly Candidate[]>;
  /** Of the folders among the words. */
  readonly cases: (words: readonly string[]) => Promise<readonly Candidate[]>;
};

/** What can stand for the last of the words, which may be empty. */
export async function complete(words: readonly string[], sources: NameSources): Promise<readonly Candidate[]> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const [first] = before;
  if (first === undefined && !current.startsWith("-")) return startingWith(current, listCommands());
  if (first === "help") return startingWith(current, before.length === 1 ? listTopics() : listVerbs(before.slice(1)));
  const command = first === undefined || first.startsWith("-") ? DEFAULT_COMMAND : findCommand(before);
  if (command === undefined) return startingWith(current, listVerbs(before));
  const assigned = /^(--[^=]+=)(.*)$/s.exec(current);
  const setting = findSetting(command, assigned?.[1]?.slice(0, -1) ?? before.at(-1) ?? "");
  if (assigned) return completeValue(setting, assigned[2] ?? "", assigned[1] ?? "", { words, sources });
  if (setting !== undefined && requiresValue(setting)) return completeValue(setting, current, "", { words, sources });
  if (current.startsWith("-")) return startingWith(current, listFlags(command, before));
  return completeOperand(command, before, current, { words, sources });
}

type Surroundings = { readonly words: readonly string[]; readonly sources: NameSources };

function listCommands(): readonly Candidate[] {
  return [
    ...listFirstWords().map(({ name, describe }) => ({ word: name, describe })),
    ...PLAIN_COMMANDS.map(({ term, text }) => ({ word: term.replace(/ .*/, ""), describe: text })),
  ];
}

function listTopics(): readonly Candidate[] {
  const runner = { word: RUNNER_TOPIC, describe: DEFAULT_COMMAND.describe };
  return [...listFirstWords().map(({ name, describe }) => ({ word: name, describe })), runner];
}

/** The commands of a group, if the words are its name and nothing else. */
function listVerbs(words: readonly string[]): readonly Candidate[] {
  const group = words.length === 1 ? findGroup(words) : undefined;
  if (group === undefined) return [];
  return listGroupCommands(group).map((command) => ({ word: getOwnWord(command), describe: command.describe }));
}

function findSetting({ settings }: Command, flag: string): Setting | undefined {
  const name = flag.replace(/^--?/, "");
  if (flag.startsWith("--")) return findOwn(settings, name);
  return flag.startsWith("-") ? Object.values(settings).find(({ alias }) => alias === name) : undefined;
}

/** A list's value is completed behind its last comma, without the names before it. */
async function completeValue(
  setting: Setting | undefined,
  value: string,
  assignment: string,
  surroundings: Surroundings,
): Promise<readonly Candidate[]> {
  if (setting === undefined || setting.type === "boolean") return [];
  const comma = isList(setting) ? value.lastIndexOf(",") + 1 : 0;
  const given = value.slice(0, comma).split(",");
  if (setting.type === "outputs" && value.slice(comma).includes("=")) return [FILES];
  const known =
    "choices" in setting && setting.choices !== undefined
      ? setting.choices.map((word) => ({ word }))
      : await listValues(setting.placeholder ?? "", surroundings);
  if (known.includes(FILES) || known.includes(FOLDERS)) return known;
  const candidates = startingWith(
    value.slice(comma),
    known.filter(({ word }) => !given.includes(word)),
  );
  return candidates.map((one) => ({ ...one, word: `${assignment}${value.slice(0, comma)}${one.word}` }));
}

async function completeOperand(
  command: Command,
  before: readonly string[],
  current: string,
  surroundings: Surroundings,
): Promise<readonly Candidate[]> {
  // The value of a flag before it may count too, which at most offers the next operand's words.
  const given = before.slice(countNameWords(command)).filter((word) => !word.startsWith("-")).length;
  const { operands } = command;
  const operand = operands[Math.min(given, operands.length - 1)];
  if (operand === undefined) return [];
  const known = await listValues(getPlaceholder(operand), surroundings);
  return known.includes(FILES) ? known : startingWith(current, known);
}

/** Also the results that are compared. */
const FILE_KINDS: ReadonlySet<string> = new Set(["FILE", "TAR", "OLD", "NEW", "RESULT"]);

/** What a placeholder such as "FILE" or "CHECK|RISK" stands for. Words in small letters stand for themselves. */
async function listValues(placeholder: string, { words, sources }: Surroundings): Promise<readonly Candidate[]> {
  const kinds = placeholder.split("|");
  if (kinds.some((kind) => FILE_KINDS.has(kind))) return [FILES];
  if (kinds.includes("DIR")) return [FOLDERS];
  if (kinds.includes("CONTEXT")) return sources.contexts(findValue(words, "--kubeconfig"));
  const names = [
    ...(kinds.includes("CHECK") ? await sources.checks() : []),
    ...(kinds.includes("RISK") ? await sources.risks() : []),
    ...(kinds.includes("CASE") ? await sources.cases(words) : []),
  ];
  const own = kinds.filter((kind) => kind !== "" && kind === kind.toLowerCase());
  return [...names, ...own.filter((word) => word !== "-").map((word) => ({ word }))];
}

function findValue(words: readonly string[], flag: string): string | undefined {
  const assigned = words.find((word) => word.startsWith(`${flag}=`));
  if (assigned !== undefined) return assigned.slice(flag.length + 1);
  const index = words.indexOf(flag);
  return index < 0 ? undefined : words[index + 1];
}

/** A setting that is given already is offered again only if it takes several values. */
function listFlags({ settings }: Command, before: readonly string[]): readonly Candidate[] {
  const given = new Set(before.map((word) => word.replace(/=.*/s, "")));
  const flags = Object.entries(settings).flatMap(([flag, setting]) =>
    listForms(flag, setting).map((word) => ({ word, describe: setting.describe, isRepeatable: isList(setting) })),
  );
  const free = flags.filter(({ word, isRepeatable }) => isRepeatable || !given.has(word));
  return [...free.map(({ word, describe }) => ({ word, describe })), { word: "--help", describe: "Show the help" }];
}

function listForms(flag: string, setting: Setting): readonly string[] {
  if (setting.type === "boolean") return [setting.default ? `--no-${flag}` : `--${flag}`];
  return setting.type === "config" && setting.foundFile !== undefined ? [`--${flag}`, `--no-${flag}`] : [`--${flag}`];
}

function startingWith(prefix: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ word }) => word.startsWith(prefix));
}
