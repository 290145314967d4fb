/** What the names of expressions stand for. */
export const NAME_TEXTS: Readonly<Record<string, string>> = {
  object:
    "in `where` and `index`, an object of the list; under `forEach`, the item; in a command, apiVersion, kind and metadata (name and namespace) of the finding's object",
  source:
    'the release that the cluster runs: `version`, `minor` ("4.20"), `openshift` (its minor as a number to compare with `minor("4.20")`; of Kubernetes, the release that contains it), `kubernetes` (33 for 1.33, also of an OpenShift that contains it), `ordinal` (as `openshift`; as `kubernetes` in a check for Kubernetes alone), `pre` (parts of a pre-release), `text` (as texts name it)',
  target: "the release to update to, with the same fields",
  update: "`kind` (patch, minor or rollback) and `leavesMinor`",
  cluster: "facts of the cluster, below",
  now: "the time; it may decide, and may not stand in a text",
  checks: "the ids of the checks that run",
  served:
    "`served.READ`: whether the API server serves the kind; without asking, what depends on one that is not served is unknown",
  readable: "`readable.READ`: whether the read succeeded; it is reported all the same if not",
  fixes: '"Update to 4.21.3 or a later 4.21 instead", of `applies.versions`',
  objects: "the objects that have the fault, named once and shortened",
  objectCount: 'how many they are: `plural(objectCount, "is", "are")`',
  details: "the details of the findings",
  path: "the path of the finding",
  detail: "the details of the finding",
};

/** What the facts of the cluster are. */
export const FACT_TEXTS: Readonly<Record<string, string>> = {
  platform: "the platform of Infrastructure: `AWS`, `BareMetal`, ...; empty if it says none",
  topology: "`HighlyAvailable`, `SingleReplica`, `External`, ... of the control plane",
  hosted: "whether the control plane is not on the cluster's own nodes",
  infrastructure: "names the Infrastructure as the object of a finding",
  network: "the type of the cluster's network: `OVNKubernetes`",
  history: "the entries of ClusterVersion's history, the newest first",
  firstVersion: "the version that the cluster was installed with, as far as the history says",
  capabilities: "the enabled capabilities",
  operators: "the ClusterServiceVersions of the operators that OLM installed",
};
