import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { quoteArgument } from "../../../model/commands.ts";
import { UsageError } from "../../../model/errors.ts";
import type { Io } from "../../io/io.ts";
import { writeNewFile } from "./new-files.ts";
import type { NewCheckValues } from "./definition.ts";
import { buildCheckName } from "../../../model/check.ts";

/** Writes the files of a check, and nothing if one of them is there. */
export async function run({ id, folder = id }: NewCheckValues, io: Io): Promise<0> {
  const names = buildCheckNames(id);
  if ("refused" in names) throw new UsageError(names.refused);
  const files = Object.entries(buildCheckFiles(names)).map(([name, text]) => ({ file: join(folder, name), text }));
  for (const { file } of files)
    if (await isThere(file)) throw new UsageError(`${file} is there already: choose another folder`);
  for (const { file, text } of files) await writeNewFile(file, text);
  io.err(formatNextSteps(quoteArgument(folder)));
  return 0;
}

function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

function formatNextSteps(folder: string): string {
  return `Wrote a check with four cases to ${folder}. Change it into your own, and run:

  preflight checks lint ${folder}                     finds mistakes
  preflight checks test ${folder}                     runs the cases; --update writes what they expect
  preflight check --checks ${folder} --to VERSION     runs the check on your cluster
`;
}

/** The forms of a check's name: "my-check", "MyCheck". */
export type CheckNames = { readonly id: string; readonly name: string };

const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const MAX_LENGTH = 40;

/** The names of a check, or one line that explains why the id is refused. */
export function buildCheckNames(id: string): CheckNames | { readonly refused: string } {
  if (!ID.test(id) || id.length > MAX_LENGTH)
    return {
      refused: `"${id}" is not a valid id: use lowercase letters, digits and hyphens, such as kubelet-skew`,
    };
  return { id, name: buildCheckName(id) };
}

/** The files of a check that works, by their names in its folder. Its kind is made up, so that it finds nothing on a cluster. */
export function buildCheckFiles({ id, name }: CheckNames): Readonly<Record<string, string>> {
  const entries = Object.entries(FILES).map(([file, text]) => [
    file,
    text.replaceAll("my-check", id).replaceAll("MyCheck", name),
  ]);
  return Object.fromEntries(entries);
}

const CHECK = `# A check: what it reads, when it finds something, and what it says then.
# Expressions are CEL, as in a ValidatingAdmissionPolicy. Texts hold them as \${...}.
apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: my-check}
spec:
  # What is true if the check finds nothing.
  title: No widget uses the legacy driver

  # The updates that it is about: updates (patch, minor, rollback), or crosses ("4.21": updates into or past that minor).
  applies: {updates: [patch, minor], platforms: [openshift, kubernetes]}

  # All that it reads: lists of a kind, or one object (get, with its name).
  reads:
    widgets:
      list: example.com/v1/widgets
      # Where nothing serves this kind, the check is not applicable.
      required: true
      # Objects for which this is false are not kept. ".?" reads a field that may be absent, and orValue() says what counts then.
      where: object.?spec.?driver.orValue("") != ""

  risks:
    - # States the fault. Administrators accept a risk by this name, so never change it.
      name: MyCheckFault
      # What it does to the update: notRecommended, stuck (it can't finish) or broken (it finishes, and something no longer works).
      effect: broken
      leadTime: hours
      title: Widgets use the legacy driver
      url: https://example.com/widgets
      # \${objects} names the objects: "Widget shop/a, Widget shop/b and 3 more".
      message: "The legacy driver of \${objects} is not on nodes of \${target.version}: pods that move there don't start."
      remediation: Set spec.driver to block, and update once every widget is ready.
      findings:
        # One for each item of the list for which "when" is true; "object" is the item.
        - forEach: widgets.items
          when: object.spec.driver == "legacy"
          path: spec.driver
          message: The driver is legacy.
      # A command to copy, for each object: edit, delete, patch, label, annotate, scale or restart. What it does at worst follows from it.
      fix:
        - patch: {spec: {driver: block}}

  # A value that decides and that the check does not understand is unknown, never clear.
  unknowns:
    - forEach: widgets.items
      when: '!(object.spec.driver in ["block", "legacy"])'
      where: "\${ref(object)} spec.driver"
      message: it is not a known driver
`;

const README = `# my-check

No widget may use the legacy driver when the cluster is updated.

| risk | reported when |
| --- | --- |
| \`MyCheckFault\` | \`spec.driver\` of a widget is \`legacy\` |

## Why

What changes in which release, what happens to such a cluster, and where that is told.

## How to see it by hand

    kubectl get widgets.example.com -A -o custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,DRIVER:.spec.driver

## How to fix it

How, with commands, and what that costs.

- \`MyCheckFault\`: disruptive, because the pods of the widget restart with the other driver.

## How sure the verdict is

What the check can't see, and what it then says.
`;

const BASE = `# What the cases share: the two releases, and what the check reads, by its path in the API. A list needs no more fields than the check does.
source: 4.20.3
target: 4.21.0
cluster:
  /apis/example.com/v1/widgets:
    - apiVersion: example.com/v1
      kind: Widget
      metadata: {namespace: shop, name: orders}
    - apiVersion: example.com/v1
      kind: Widget
      metadata: {namespace: shop, name: stock}
      spec: {driver: block}
`;

const RISK = `# One of two widgets has the fault. A case says what differs from base.yaml; items of a list are changed by name.
cluster:
  /apis/example.com/v1/widgets:
    shop/orders: {spec: {driver: legacy}}
# Written by "preflight checks test --update": read it before you keep it.
expect:
  outcome: risk
  findings:
    - risk: MyCheckFault
      object: {apiVersion: example.com/v1, kind: Widget, namespace: shop, name: orders}
      path: spec.driver
      message: The driver is legacy.
      fix: ['oc -n shop patch widget.example.com/orders --type=merge -p ''{"spec":{"driver":"block"}}''']
  risks:
    - name: MyCheckFault
      message: >-
        The legacy driver of Widget shop/orders (spec.driver) is not on nodes of 4.21.0: pods that move there don't
        start. Set spec.driver to block, and update once every widget is ready.
      remediation: Set spec.driver to block, and update once every widget is ready.
`;

const CLEAR = `# No driver is set, and none is legacy.
expect: {outcome: clear}
`;

const UNKNOWN = `# A check that may not read the objects never says that all is well.
cluster:
  /apis/example.com/v1/widgets: {error: 403 forbidden}
expect:
  outcome: unknown
  unknowns:
    - {reason: Forbidden, where: widgets.example.com, message: 403 forbidden}
  risks:
    - name: MyCheckUnknown
      message: >-
        The check "No widget uses the legacy driver" could not be completed: widgets.example.com (403 forbidden) could
        not be checked. Grant the rights that "preflight rbac" prints, or check these by hand before updating.
      remediation: Grant the rights that "preflight rbac" prints, or check these by hand before updating.
`;

const NOT_APPLICABLE = `# Nothing serves the kind.
cluster:
  /apis/example.com/v1/widgets: {error: 404 not found, what: resource}
expect:
  outcome: notApplicable
  reason: The API server does not serve widgets.example.com.
`;

const FILES: Readonly<Record<string, string>> = {
  "check.yaml": CHECK,
  "README.md": README,
  "cases/base.yaml": BASE,
  "cases/risk-legacy-driver.yaml": RISK,
  "cases/clear-other-drivers.yaml": CLEAR,
  "cases/unknown-forbidden.yaml": UNKNOWN,
  "cases/not-applicable-no-widgets.yaml": NOT_APPLICABLE,
};
