import type { CheckNames } from "./names.ts";

/** A working check: its read is an example, and its author replaces every text that begins with "Say here". */
export function formatCheck({ id }: CheckNames): string {
  return `import { type Judgement, defineCheck } from "../../model/check.ts";
import { flagAt } from "../../model/json.ts";
import { get } from "../../model/read.ts";
import { SCHEDULER, fault } from "./risks.ts";

/** The fields that matter. */
type Kept = { readonly schedulable: boolean };

export default defineCheck({
  id: "${id}",
  title: "Say here what holds on a healthy cluster",
  risks: [fault],
  applies: { kind: "crosses", minor: "5.1" },
  reads: () => ({
    scheduler: get("config.openshift.io/v1/schedulers", "cluster", (object) => ({
      schedulable: flagAt(object, "spec", "mastersSchedulable") === true,
    })),
  }),
  evaluate: ({ scheduler }) => (scheduler.kind === "found" ? judge(scheduler.value) : {}),
});

function judge({ schedulable }: Kept): Judgement {
  if (!schedulable) return {};
  return {
    findings: [{ risk: fault.name, object: SCHEDULER, path: "spec.mastersSchedulable", message: "It is true." }],
  };
}
`;
}

export function formatRisks({ name }: CheckNames): string {
  return `import type { RiskText } from "../../model/check.ts";
import { buildPatchCommand } from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";

export const SCHEDULER: ObjectRef = { apiVersion: "config.openshift.io/v1", kind: "Scheduler", name: "cluster" };

export const fault: RiskText = {
  name: "${name}Fault",
  effect: "stuck",
  title: "Say here what is wrong with the objects",
  url: "https://docs.redhat.com/",
  describe: (objects, { target }) =>
    \`Say here what will happen to \${objects} with the update to \${target.text}, and when.\`,
  remediation: "Say here what to do about it.",
  example: { object: SCHEDULER },
  fix: ({ object }, { platform }) => [buildPatchCommand(platform, object, { spec: { mastersSchedulable: false } })],
};
`;
}

/** A table as `npm run format` formats it. */
function formatTable(name: string): string {
  const risk = `\`${name}Fault\``;
  const trigger = "`spec.mastersSchedulable` of Scheduler `cluster` is true";
  return [
    `| ${"risk".padEnd(risk.length)} | updates into or past | ${"reported when".padEnd(trigger.length)} |`,
    `| ${"-".repeat(risk.length)} | -------------------- | ${"-".repeat(trigger.length)} |`,
    `| ${risk} | 5.1                  | ${trigger} |`,
  ].join("\n");
}

export function formatReadme({ id, name }: CheckNames): string {
  return `# ${id}

Say here in one sentence what the check asks.

${formatTable(name)}

## Why

Say here what changes in which release, what happens to such a cluster, and where that is told in public.

## How to see it by hand

    oc get schedulers.config.openshift.io cluster -o jsonpath='{.spec.mastersSchedulable}{"\\n"}'

## How to fix it

Say here how, with commands, and what that costs.

## How sure the verdict is

Say here what the check can't see, and what it then says.

## When it is retired

Say here after which release nobody needs it.
`;
}
