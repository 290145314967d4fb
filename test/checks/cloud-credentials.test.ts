import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCase } from "../../src/cases/parser.ts";
import { runCase } from "../../src/cases/runner.ts";
import { checks } from "../../src/checks/index.ts";

const PREFIX = "the annotation cloudcredential.openshift.io/upgradeable-to ";

/** What the check says of a cluster on AWS with manual credentials. */
async function judge(annotation: string | undefined, source: string, target: string) {
  const check = checks.find(({ id }) => id === "cloud-credentials") ?? assert.fail();
  const annotations = annotation === undefined ? {} : { "cloudcredential.openshift.io/upgradeable-to": annotation };
  const cluster = {
    "/apis/operator.openshift.io/v1/cloudcredentials/cluster": {
      apiVersion: "operator.openshift.io/v1",
      kind: "CloudCredential",
      metadata: { name: "cluster", annotations },
      spec: { credentialsMode: "Manual" },
    },
    "/apis/config.openshift.io/v1/infrastructures/cluster": { status: { platformStatus: { type: "AWS" } } },
  };
  const one = parseCase(JSON.stringify({ source, target, cluster }));
  const { outcome, risks } = await runCase({ ...one, check, name: "annotated", file: "annotated.yaml" }, checks);
  assert.ok(outcome.kind === "risk" || outcome.kind === "clear", outcome.kind);
  const [finding] = outcome.kind === "risk" ? outcome.findings : [];
  return { risks: risks.map(({ name }) => name).join(), fault: finding?.detail?.["annotation"] };
}

test("parses the annotation as the cloud-credential-operator does", async () => {
  const read: Readonly<Record<string, string | undefined>> = {
    "4.19": "4.19",
    "v4.19": "4.19",
    "4.19.3": "4.19",
    "4.19.0-rc.1": "4.19",
    "4.19.0+build.7": "4.19",
    "4": "4.0",
    "5.0": "5.0",
    "4.19-rc.1": undefined,
    "4.19.x": undefined,
    "04.19": undefined,
    "4.019": undefined,
    " 4.19": undefined,
    "4.19 ": undefined,
    "vv4.19": undefined,
    "": undefined,
    true: undefined,
  };
  for (const [value, expected] of Object.entries(read)) {
    const { fault } = await judge(value, "5.1.5", "5.2.1");
    assert.equal(fault, PREFIX + (expected === undefined ? "does not name a release" : `names ${expected}`), value);
  }
});

test("compares the annotation with the running release and the target", async () => {
  const refused = "CloudCredentialsNotPrepared";
  const short = "CloudCredentialsPreparedForEarlierRelease";
  const enough = "";
  const table = [
    [undefined, "4.18.5", "4.19.1", refused],
    ["4.17", "4.18.5", "4.19.1", refused],
    ["4.18.99", "4.18.5", "4.19.1", refused],
    ["4.19", "4.18.5", "4.19.1", enough],
    ["4.20", "4.18.5", "4.19.1", enough],
    ["4.18", "4.18.5", "4.20.1", refused],
    ["4.19", "4.18.5", "4.20.1", short],
    ["4.20", "4.18.5", "4.20.1", enough],
    ["4.23", "4.22.5", "5.0.1", enough],
    ["5.0", "4.22.5", "4.23.1", enough],
    ["4.23", "4.23.5", "5.0.1", refused],
    ["5.0", "4.23.5", "5.0.1", enough],
    ["5.0", "4.23.5", "5.1.1", short],
    ["5.1", "4.23.5", "5.1.1", enough],
    ["4.24", "5.0.5", "5.1.1", refused],
    ["5.1", "5.0.5", "5.2.1", short],
    ["5.2", "5.0.5", "5.2.1", enough],
  ] as const;
  for (const [value, source, target, expected] of table) {
    const { risks } = await judge(value, source, target);
    assert.equal(risks, expected, `${value} from ${source} to ${target}`);
  }
});
