import { type Json, isList, isObject } from "../../model/json.ts";
import type { FixKind } from "../../model/commands.ts";
import { judgeHarm, pickWorst } from "../../model/fix-kind.ts";
import type { CompiledExpression } from "../../schema/cel/index.ts";
import type { CommandObject, CommandRule } from "../format/definition.ts";
import { type DocumentPlace, type PlacedText, listTexts } from "../format/fault.ts";
import { judgeWords } from "./command-words.ts";
import { type Site, compileCondition, enter, refuse } from "./expressions.ts";
import { type Template, compileText } from "./template.ts";

/** A command in words, or a verb with the object that it is for. `texts`: of what a form has with `${E}` in it. */
export type CompiledCommand = { readonly when: CompiledExpression | undefined } & (
  | { readonly kind: "form"; readonly form: CommandRule; readonly texts: ReadonlyMap<string, Template> }
  | { readonly kind: "run"; readonly run: Template }
);

/** Of the finding's object alone. */
export const PLAIN_VERBS = ["get", "describe", "edit", "delete", "restart"] as const;
const VERBS = ["get", "describe", "edit", "delete", "patch", "label", "annotate", "scale", "restart"] as const;

export function compileCommand(site: Site, definition: CommandRule): CompiledCommand {
  const { when: condition, run, ...form } = definition;
  const when = condition === undefined ? undefined : compileCondition(enter(site, "when"), condition).code;
  const given = Object.keys(definition).filter((key) => key !== "when");
  if (given.length !== 1)
    refuse(
      site,
      `it must be one of ${[...VERBS, "run"].join(", ")}`,
      given.length > 1 ? "write a command for each" : "describe: {} is the command for the finding's object",
    );
  if (run !== undefined) return { when, kind: "run", run: compileText(enter(site, "run"), run) };
  const texts = listTemplates(form, []).map(
    ({ text, place }) => [text, compileText(enter(site, ...place), text)] as const,
  );
  return { when, kind: "form", form, texts: new Map(texts) };
}

/** The texts in a value that have values in them. */
export function listTemplates(value: Json, place: DocumentPlace): readonly PlacedText[] {
  return listTexts(value, place).filter(({ text }) => text.includes("${"));
}

/** How the object of a command differs from the finding's. */
export function getCommandObject({ patch, label, annotate, scale, ...plain }: CommandRule): CommandObject {
  const written = patch ?? label ?? annotate ?? scale;
  if (written !== undefined) return written.object ?? {};
  return PLAIN_VERBS.map((verb) => plain[verb]).find((object) => object !== undefined) ?? {};
}

/** What commands for an object of this kind do at worst. */
export function deriveFixKind(commands: readonly CommandRule[], kind = ""): FixKind {
  return pickWorst(
    commands.map((command) => {
      const verb = VERBS.find((one) => command[one] !== undefined);
      if (verb === undefined) return judgeWords(command.run ?? "");
      return judgeHarm(verb, getCommandObject(command).kind ?? kind, listKeys(command));
    }),
  );
}

function listKeys(value: Json): readonly string[] {
  if (isList(value)) return value.flatMap(listKeys);
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => [key, ...listKeys(member)]) : [];
}
