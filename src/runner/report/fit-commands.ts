import type { Finding } from "../../model/check.ts";
import { formatObjectArgument, quoteArgument } from "../../model/commands.ts";
import { compareRefs, type ObjectRef } from "../../model/resource.ts";
import type { Platform } from "../../model/version.ts";

const COMMAND = /"(?:oc|kubectl) [^"]*"/g;

/**
 * The commands in a text as they are for these findings: by the program of the platform, in the namespace of all their objects, and if there
 * is only one, for this object.
 */
export function fitCommands(text: string, platform: Platform, findings: readonly Finding[]): string {
  const [first] = findings;
  if (first === undefined) return text;
  const { object } = first;
  const isInOne = findings.every((one) => one.object.namespace === object.namespace);
  const isAlone = isInOne && findings.every((one) => compareRefs(one.object, object) === 0);
  return text.replaceAll(COMMAND, (command) => {
    const own = platform === "openshift" ? toOc(command) : command;
    const placed = isInOne && object.namespace ? own.replaceAll("NAMESPACE", object.namespace) : own;
    return isAlone ? nameObject(placed, object) : placed;
  });
}

/** What administers nodes and certificates is below `oc adm`. */
function toOc(command: string): string {
  return command
    .replace(/^"kubectl (certificate|cordon|drain|taint|top|uncordon) /, '"oc adm $1 ')
    .replace(/^"kubectl /, '"oc ');
}

/** Other words that stand before an object's name. */
const WORDS: Readonly<Record<string, string>> = {
  certificatesigningrequest: "approve",
  clusterserviceversion: "csv",
  customresourcedefinition: "crd",
  // It has the name of its pool.
  machineconfigpool: "machineosconfig",
  node: "uncordon",
};

function nameObject(command: string, object: ObjectRef): string {
  const { namespace, name } = object;
  const kind = object.kind.toLowerCase();
  const words = [kind, WORDS[kind] ?? []].flat().join("|");
  const place = namespace === undefined || command.includes(" -n ") ? "" : ` -n ${namespace}`;
  return command
    .replace("KIND NAME", () => `${formatObjectArgument(object)}${place}`)
    .replace(new RegExp(`\\b(${words}) NAME\\b`), (_, word: string) => `${word} ${quoteArgument(name)}${place}`);
}
