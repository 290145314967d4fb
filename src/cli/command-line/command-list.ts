import {
  acceptSettings,
  controllerSettings,
  requestSettings,
  statusControllerSettings,
} from "./controller-settings.ts";
import {
  checkSettings,
  clusterSettings,
  listSettings,
  rbacSettings,
  recordSettings,
  runSettings,
  type Setting,
} from "./settings.ts";

export type CommandName =
  | "run"
  | "accept"
  | "cancel"
  | "check"
  | "controller"
  | "explain"
  | "list"
  | "rbac"
  | "record"
  | "request"
  | "status"
  | "update-status-controller"
  | "validate";

export type Command = {
  readonly name: CommandName;
  readonly describe: string;
  readonly settings: readonly Setting[];
  /** Its one operand. */
  readonly operand?: { readonly name: string; readonly describe: string; readonly optional?: true };
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
  { name: "request", describe: "Ask the controller for a preflight of a release", settings: requestSettings },
  { name: "status", describe: "Tell how the preflight stands and what it found", settings: clusterSettings },
  { name: "cancel", describe: "Take the request for a preflight back", settings: clusterSettings },
  {
    name: "accept",
    describe: "Accept risks in ClusterVersion, or take that back",
    settings: acceptSettings,
    operand: { name: "risks", describe: "Names with commas between them; A- takes A back", optional: true },
  },
  { name: "controller", describe: "Serve requests for a preflight, until told to stop", settings: controllerSettings },
  {
    name: "update-status-controller",
    describe: "Keep the status insight about ClusterVersion in a ConfigMap, until told to stop",
    settings: statusControllerSettings,
  },
  {
    name: "validate",
    describe: "Validate a document against the schema of preflight-v1-json",
    settings: [],
    operand: { name: "file", describe: "File with the document" },
  },
];
