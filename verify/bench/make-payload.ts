// Makes a payload of a release's real size, to measure with: `node verify/bench/make-payload.ts DIR [RELEASE [VERSION]]`. It has the CRDs
// and feature gates of the release, and as many manifests of other kinds, with a dashboard among them now and then, as a release has.
import { cpSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const SHARED = process.env["PREFLIGHT_SHARED"] ?? join(import.meta.dirname, "..", "..", "..", "shared");
const FILES = 900;
const BYTES = 15_000_000;
/** One of so many manifests is a dashboard, which takes up the rest of the bytes. */
const DASHBOARD_INTERVAL = 12;
const PROFILE = "include.release.openshift.io/self-managed-high-availability";

const [folder, release = "4.20", version = `${release}.8`] = process.argv.slice(2);

type Kind = (name: string, bytes: number) => string;

function formatHeader(apiVersion: string, kind: string, name: string): string {
  return `apiVersion: ${apiVersion}
kind: ${kind}
metadata:
  annotations:
    ${PROFILE}: "true"
    include.release.openshift.io/single-node-developer: "true"
  name: ${name}
  namespace: openshift-${name}
`;
}

const formatRole: Kind = (name) => `${formatHeader("rbac.authorization.k8s.io/v1", "ClusterRole", name)}rules:
${Array.from({ length: 12 }, (_, i) => `- apiGroups:\n  - ""\n  - apps\n  resources:\n  - configmaps\n  - kind${i}s\n  verbs: [get, list, watch]\n`).join("")}`;

const formatDeployment: Kind = (name) => `${formatHeader("apps/v1", "Deployment", name)}spec:
  replicas: 1
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      annotations:
        target.workload.openshift.io/management: '{"effect": "PreferredDuringScheduling"}'
      labels:
        app: ${name}
    spec:
      containers:
${Array.from({ length: 3 }, (_, i) => formatContainer(name, i)).join("")}      tolerations:
      - key: node-role.kubernetes.io/master
        operator: Exists
`;

function formatContainer(name: string, index: number): string {
  return `      - args:
        - start
        - --config=/var/run/configmaps/config/config.yaml
        - -v=2
        command: ["${name}", "operator"]
        env:
        - name: RELEASE_VERSION
          value: ${version}
        - name: POD_NAME
          valueFrom:
            fieldRef:
              fieldPath: metadata.name
        image: quay.invalid/release@sha256:${"0123456789abcdef".repeat(4)}
        name: container-${index}
        resources:
          requests:
            cpu: 10m
            memory: 50Mi
        securityContext:
          allowPrivilegeEscalation: false
          capabilities:
            drop:
            - ALL
`;
}

const formatRule: Kind = (name) => `${formatHeader("monitoring.coreos.com/v1", "PrometheusRule", name)}spec:
  groups:
  - name: ${name}
    rules:
${Array.from({ length: 10 }, (_, i) => formatAlert(name, i)).join("")}`;

function formatAlert(name: string, index: number): string {
  return `    - alert: Alert${index}
      annotations:
        description: The operator {{ $labels.name }} of ${name} has not been available for
          ten minutes, and what depends on it may not work.
        summary: "An operator is 'unavailable'."
      expr: |
        max by (namespace, name, reason)
        (
          (cluster_operator_up{name="${name}"} == ${index})
          * on() group_left() max(up)
        )
      for: 10m
      labels:
        severity: critical
`;
}

const formatService: Kind = (name) => `${formatHeader("v1", "Service", name)}spec:
  ports:
  - name: https
    port: 443
    targetPort: 8443
  selector:
    app: ${name}
`;

const formatDashboard: Kind = (name, bytes) => {
  const panel = (id: number) => ({ id, title: `Panel ${id}`, targets: [{ expr: `sum(rate(x{id="${id}"}[5m]))` }] });
  const panels = Array.from({ length: Math.ceil(bytes / 175) }, (_, i) => panel(i));
  const lines = JSON.stringify({ panels }, null, 2).split("\n");
  return `${formatHeader("v1", "ConfigMap", name)}data:\n  dashboard.json: |-\n${lines.map((line) => `    ${line}\n`).join("")}`;
};

const KINDS: readonly Kind[] = [formatRole, formatDeployment, formatRule, formatService];

function copyCrds(target: string): void {
  const crds = join(SHARED, "crds");
  mkdirSync(target, { recursive: true });
  cpSync(join(crds, release), target, { recursive: true });
  cpSync(join(crds, "featuregates", release), target, { recursive: true });
}

function writeRelease(target: string): void {
  const metadata = { kind: "cincinnati-metadata-v0", version, previous: [], metadata: {} };
  const tags = Array.from({ length: 190 }, (_, i) => ({
    name: `image-${i}`,
    annotations: { "io.openshift.build.versions": "", "io.openshift.build.commit.id": "0".repeat(40) },
    from: { kind: "DockerImage", name: `quay.invalid/release@sha256:${"0".repeat(64)}` },
  }));
  const images = {
    kind: "ImageStream",
    apiVersion: "image.openshift.io/v1",
    metadata: { name: version },
    spec: { tags },
  };
  writeFileSync(join(target, "release-metadata"), JSON.stringify(metadata));
  writeFileSync(join(target, "image-references"), JSON.stringify(images, null, 2));
}

function measure(target: string): { readonly files: number; readonly bytes: number } {
  const names = readdirSync(target);
  return { files: names.length, bytes: names.reduce((sum, name) => sum + statSync(join(target, name)).size, 0) };
}

function main(target: string): void {
  copyCrds(target);
  writeRelease(target);
  const before = measure(target);
  const count = FILES - before.files;
  const small = count - Math.floor(count / DASHBOARD_INTERVAL);
  const dashboard = (BYTES - before.bytes - small * 2_200) / (count - small);
  for (let i = 1; i <= count; i += 1) {
    const name = `component-${i}`;
    const format = i % DASHBOARD_INTERVAL === 0 ? formatDashboard : (KINDS[i % KINDS.length] ?? formatService);
    writeFileSync(join(target, `0000_50_${name}.yaml`), format(name, dashboard));
  }
  const { files, bytes } = measure(target);
  process.stdout.write(`${target}: ${files} files, ${(bytes / 1e6).toFixed(1)} MB\n`);
}

if (folder === undefined) throw new Error("name the folder to make");
main(folder);
