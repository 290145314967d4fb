import { pickWorst } from "../../model/fix-kind.ts";
import { getGroup, parseResource } from "../../model/resource.ts";
import type { CheckDefinition, CheckRules, CommandObject, CommandRule, RiskTexts } from "../format/definition.ts";
import type { DocumentPlace, PlacedFault } from "../format/fault.ts";
import { deriveFixKind, getCommandObject } from "./commands.ts";
import { findWordFault } from "./command-words.ts";

/** How far the author of a check is trusted with commands: `named`: in a file that the administrator names; `others`: with forms alone. */
export type CommandTrust =
  | { readonly kind: "named"; readonly programs: readonly string[] }
  | { readonly kind: "others" };

/** What commands in a file that the administrator names may run, unless the configuration lists others. */
export const PROGRAMS: readonly string[] = ["oc", "kubectl"];

/** What is wrong with the commands of a check that this build does not have. */
export function findTrustFaults({ spec }: CheckDefinition, trust: CommandTrust): readonly PlacedFault[] {
  const { risks = [], reads = {} } = spec;
  return risks.flatMap((risk, i) => {
    const place = ["spec", "risks", i];
    const commands = (["see", "fix"] as const).flatMap((list) =>
      (risk[list] ?? []).flatMap((command, k) => findFaults(command, [...place, list, k], trust, reads)),
    );
    return [...commands, ...findClaim(risk, place)];
  });
}

/** An author may say that a command does more harm than its words tell, but not less. */
function findClaim({ fix = [], fixKind }: RiskTexts, place: DocumentPlace): readonly PlacedFault[] {
  const derived = deriveFixKind(fix);
  if (fixKind === undefined || pickWorst([derived, fixKind]) === fixKind) return [];
  const message = `these commands are ${derived}, by their verbs and by what they write`;
  return [{ severity: "warning", place: [...place, "fixKind"], message, hint: "leave it out" }];
}

function findFaults(
  command: CommandRule,
  place: DocumentPlace,
  trust: CommandTrust,
  reads: NonNullable<CheckRules["reads"]>,
): readonly PlacedFault[] {
  if (trust.kind === "others")
    return command.run === undefined ? findForeignKind(command, place, reads) : refuseRun(command.run, place);
  const found = command.run === undefined ? undefined : findWordFault(command.run, trust.programs);
  return found === undefined ? [] : [{ severity: "error", place: [...place, "run"], ...found }];
}

const FORMS = "get, describe, edit, delete, patch, label, annotate, scale or restart";

function refuseRun(run: string, place: DocumentPlace): readonly PlacedFault[] {
  const message = "only a file that the administrator names may have a command in words";
  return [{ severity: "error", place: [...place, "run"], isKey: true, message, hint: suggestForm(run) }];
}

const FIELDS: Readonly<Record<string, string>> = {
  patch: "{spec: {...}}",
  label: "{labels: {KEY: VALUE}}",
  annotate: "{annotations: {KEY: VALUE}}",
  scale: "{replicas: NUMBER}",
};

/** By the first word that is a verb. */
function suggestForm(run: string): string {
  const found = /(?:^|\s)(?:rollout )?(get|describe|edit|delete|patch|label|annotate|scale|restart)(?=\s|$)/.exec(run);
  const verb = found?.[1];
  if (verb === undefined) return `write ${FORMS}; what none of them does belongs in the remediation`;
  return `write ${verb}: ${FIELDS[verb] ?? "{}"}`;
}

function findForeignKind(
  command: CommandRule,
  place: DocumentPlace,
  reads: NonNullable<CheckRules["reads"]>,
): readonly PlacedFault[] {
  const object = getCommandObject(command);
  if (object.kind === undefined) return [];
  const isRead = Object.values(reads).some(({ list, get = "" }) => isOfResource(object, list ?? get));
  const message = `the check does not read objects of the kind ${object.kind}, so its commands can't be for one`;
  return isRead ? [] : [{ severity: "error", place, message, hint: "add the kind to reads, or leave the command out" }];
}

/** Whether an object may be of this resource ("apps/v1/deployments"), by the plurals that kinds have. */
export function isOfResource({ apiVersion, kind = "" }: CommandObject, text: string): boolean {
  if (text === "") return false;
  const { group, resource } = parseResource(text);
  const name = kind.toLowerCase();
  const replaced = name
    .replace(/y$/, "ies")
    .replace(/is$/, "es")
    .replace(/(?:ex|ix)$/, "ices");
  const isPlural = [name, `${name}s`, `${name}es`, replaced].includes(resource);
  return isPlural && (apiVersion === undefined || getGroup(apiVersion) === group);
}
