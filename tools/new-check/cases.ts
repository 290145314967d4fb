const VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const SCHEDULER = "/apis/config.openshift.io/v1/schedulers/cluster";
const SOURCE = "5.0.3";

type Case = { readonly target: string; readonly scheduler: object };

const CASES: Readonly<Record<string, Case>> = {
  "risk-schedulable": { target: "5.1.0", scheduler: scheduler(true) },
  "clear-not-schedulable": { target: "5.1.0", scheduler: scheduler(false) },
  "unknown-forbidden": { target: "5.1.0", scheduler: { error: "403 forbidden" } },
  "not-applicable-patch-update": { target: "5.0.9", scheduler: scheduler(true) },
};

function scheduler(mastersSchedulable: boolean): object {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "Scheduler",
    metadata: { name: "cluster" },
    spec: { mastersSchedulable },
  };
}

/** The files of a new check's cases, but for expected.json, which the test writes. */
export function caseFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(CASES).flatMap(([name, of]) =>
      Object.entries(filesOf(of)).map(([file, text]) => [`cases/${name}/${file}`, text]),
    ),
  );
}

function filesOf({ target, scheduler: read }: Case): Readonly<Record<string, string>> {
  const metadata = { kind: "cincinnati-metadata-v0", version: target, previous: [], metadata: {} };
  return {
    "cluster.json": `${JSON.stringify({ [VERSION]: clusterVersion(), [SCHEDULER]: read }, undefined, 2)}\n`,
    "release/release-metadata": `${JSON.stringify(metadata)}\n`,
    "release/0000_50_demo_01_namespace.yaml": "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: demo\n",
  };
}

function clusterVersion(): object {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
    status: { desired: { version: SOURCE }, history: [{ state: "Completed", version: SOURCE }] },
  };
}
