import type { CheckText } from "../../../../src/data-checks/format/fault.ts";
import { toYaml } from "../../../../src/encoding/yaml.ts";
import type { JsonObject } from "../../../../src/model/json.ts";

export const LIST_HEAD: JsonObject = {
  apiVersion: "preflight.openshift.io/v1alpha1",
  kind: "KnownBugs",
  metadata: { name: "test" },
  spec: { date: "2026-11-01", knownUpTo: "5.3" },
};

export const BUG: JsonObject = {
  id: "dark-console",
  name: "ConsoleStaysDark",
  published: ["DarkConsole"],
  versions: [{ first: "4.20.1", last: "4.20.3", fixedIn: "4.20.4", sources: "unaffected" }],
  reads: {
    nodes: { list: "v1/nodes", where: 'object.metadata.name.matches("^a")', index: { name: "object.metadata.name" } },
  },
  variables: [{ name: "isAWS", expression: 'cluster.platform == "AWS"' }],
  findings: [{ forEach: "nodes.items", when: "isAWS" }],
  title: "The console stays dark",
  message: "The console of {target} stays dark",
  url: "https://issues.redhat.com/browse/CONSOLE-1",
};

/** A list in one text: a document with the head, and one with the entries. */
export function buildListText(bugs: readonly JsonObject[], head: JsonObject = LIST_HEAD): CheckText {
  return { name: "bugs.yaml", text: `${toYaml(head)}---\n${toYaml(bugs)}` };
}
