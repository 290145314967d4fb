const SCHEDULER = "/apis/config.openshift.io/v1/schedulers/cluster";
const SOURCE = "5.0.3";

type ExampleCase = { readonly why: string; readonly target: string; readonly scheduler: string };

const CASES: Readonly<Record<string, ExampleCase>> = {
  "risk-schedulable": { why: "5.1 is the first affected release.", target: "5.1.0", scheduler: buildScheduler(true) },
  "clear-not-schedulable": { why: "The default.", target: "5.1.0", scheduler: buildScheduler(false) },
  "unknown-forbidden": {
    why: "A check that could not read the object never reports clear.",
    target: "5.1.0",
    scheduler: " {error: 403 forbidden}",
  },
  "not-applicable-patch-update": {
    why: "The cluster has the fault, but 5.0.9 is not affected.",
    target: "5.0.9",
    scheduler: buildScheduler(true),
  },
};

function buildScheduler(mastersSchedulable: boolean): string {
  return `
    apiVersion: config.openshift.io/v1
    kind: Scheduler
    metadata: {name: cluster}
    spec: {mastersSchedulable: ${mastersSchedulable}}`;
}

/** The files of a new check's cases; UPDATE=1 adds the outcome of each. */
export function buildCaseFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(CASES).map(([name, of]) => [`cases/${name}.yaml`, formatCase(of)]));
}

function formatCase({ why, target, scheduler: read }: ExampleCase): string {
  return `# ${why}
source: ${SOURCE}
target: ${target}
cluster:
  ${SCHEDULER}:${read}
`;
}
