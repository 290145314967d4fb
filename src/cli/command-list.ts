import { checkSettings, listSettings, rbacSettings, recordSettings, runSettings, type Setting, statusSettings } from "./options.ts";

export type CommandName = "run" | "check" | "explain" | "list" | "rbac" | "record" | "update-status-controller" | "validate";

export type Command = {
  readonly name: CommandName;
  readonly describe: string;
  readonly settings: readonly Setting[];
  /** Its one operand. */
  readonly operand?: { readonly name: string; readonly describe: string };
};

/** Every command, as help and docs/cli.md show them. */
export const COMMANDS: readonly Command[] = [
  { name: "run", describe: "Run checks at an interval and write a document (needs --format)", settings: runSettings },
  { name: "check", describe: "Run the checks once, for a person to read", settings: checkSettings },
  { name: "list", describe: "List the checks", settings: listSettings },
  {
    name: "explain",
    describe: "Explain a check or a risk",
    settings: [],
    operand: { name: "name", describe: "Id of a check, or name of a risk" },
  },
  { name: "rbac", describe: "Print the rights that the checks need, as a ClusterRole", settings: rbacSettings },
  { name: "record", describe: "Record what the checks read of a cluster, secrets redacted", settings: recordSettings },
  {
    name: "update-status-controller",
    describe: "Keep the status insight about ClusterVersion in a ConfigMap, until told to stop",
    settings: statusSettings,
  },
  {
    name: "validate",
    describe: "Validate a document against the schema of preflight-v1-json",
    settings: [],
    operand: { name: "file", describe: "File with the document" },
  },
];
