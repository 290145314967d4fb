import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { parseCase } from "../../../../src/cases/parser.ts";
import { type JsonObject, at, listAt, objectsAt, parseObject, textAt } from "../../../../src/model/json.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";

const PROXY = join(import.meta.dirname, "../../../../examples/checks/image-version");

/** A check whose `spec` ends with the findings of its one risk. */
function writeCheck(name: string, reads: string, finding: string, mark = "onManifests: true"): string {
  return `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: ${name}}
spec:
  title: Nothing is seen
  applies: {updates: [patch, minor, rollback], platforms: [openshift, kubernetes]}
  ${mark}
  reads:
    objects: {list: ${reads}}
  risks:
    - name: Seen
      effect: stuck
      title: It is seen
      url: https://example.com/
      message: \${objects} are seen in the cluster.
      remediation: Look away before the update to \${target.version}.
      findings:
        - ${finding}
`;
}

const deployment = (name: string, image: string, version = "apps/v1"): string => `apiVersion: ${version}
kind: Deployment
metadata:
  namespace: edge
  name: ${name}
  labels: {app.kubernetes.io/name: web-proxy}
spec:
  selector: {matchLabels: {app: proxy}}
  template:
    metadata: {labels: {app: proxy}}
    spec:
      containers:
        - name: proxy
          image: ${image}
`;

const OLD = deployment("inner", "example.com/web-proxy:v2.3.9");
const NEW = deployment("outer", "example.com/web-proxy:v2.4.0");

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: geese.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: geese, singular: goose, kind: Goose, listKind: GooseList}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {wild: {type: boolean}}}}}}
`;
const GOOSE = "apiVersion: example.com/v1\nkind: Goose\nmetadata: {name: gray}\nspec:\n  wild: true\n";
const GEESE = writeCheck(
  "geese",
  "example.com/v1/geese",
  "{forEach: objects.items, when: object.?spec.?wild.orValue(false) == true, path: spec.wild, message: It is wild.}",
);
const BOMB = writeCheck(
  "bomb",
  "apps/v1/deployments",
  '{forEach: objects.items, when: "lists.range(100000).exists(a, lists.range(100000).exists(b, a * b < 0))", message: It is seen.}',
).replace("name: Seen", "name: BombSeen");
const UNMARKED = writeCheck("unmarked", "v1/pods", "{forEach: objects.items, message: It is seen.}", "");

const folder = createTemporaryFolder();
const path = (name: string): string => join(folder, name);

before(async () => {
  const files = { "wrong.yaml": `${NEW}---\n${OLD}`, "right.yaml": NEW, "geese.yaml": `${CRD}---\n${GOOSE}` };
  const checks = { "geese-check.yaml": GEESE, "bomb.yaml": BOMB, "unmarked.yaml": UNMARKED };
  for (const [name, text] of Object.entries({ ...files, ...checks })) await writeFile(path(name), text);
});

async function judge(file: string, ...flags: readonly string[]): ReturnType<typeof runPreflight> {
  const words = flags.includes("--to") || flags.includes("--crds") ? flags : ["--to", "4.21.0", ...flags];
  return runPreflight(["manifests", file, ...words], {}, { cwd: folder });
}

const judgeProxy = (file: string, ...flags: readonly string[]) => judge(file, "--checks", PROXY, ...flags);

test("a finding stands at its field, with the risk, what to do, and whose check it is", async () => {
  const { code, out, err } = await judgeProxy("wrong.yaml");
  assert.deepEqual(
    { code, out, err },
    {
      code: 3,
      err: "",
      out: `wrong.yaml -> 4.21.0: 1 breaking with an update
2 objects, judged as by the API server of Kubernetes 1.34

Breaks with an update

  Deployment edge/inner (apps/v1)
    wrong.yaml:29:11 spec.template.spec.containers[0].image: It runs 2.3.9. Update each proxy to
    2.4.0 or later, and wait until its rollout is complete. (SiteProxyTooOld from --checks)

4.21.0 takes these manifests as they are, but some of them block an update or break with it.
`,
    },
  );
});

test("what has no fault is clear, and so is every release before the one that the check is about", async () => {
  assert.equal((await judgeProxy("right.yaml")).code, 0);
  assert.equal((await judgeProxy("wrong.yaml", "--to", "4.20.9")).code, 0);
  assert.equal((await judgeProxy("wrong.yaml", "--to", "v1.33")).code, 0);
  assert.equal((await judgeProxy("wrong.yaml", "--to", "v1.34")).code, 3);
});

test("formats of programs name the place and the risk", async () => {
  const formats = ["sarif", "github", "gitlab", "junit", "json", "markdown", "html"];
  await judgeProxy("wrong.yaml", ...formats.flatMap((format) => ["-o", `${format}=${path(`out.${format}`)}`]));
  const read = (format: string): Promise<string> => readFile(path(`out.${format}`), "utf8");
  assert.match(await read("github"), /^::error file=wrong\.yaml,line=29,col=11,title=SiteProxyTooOld::Deployment/);
  const [result] = objectsAt(parseObject(await read("sarif")), "runs", 0, "results");
  const region = at(result, "locations", 0, "physicalLocation", "region");
  assert.deepEqual([textAt(result, "ruleId"), at(region, "startLine")], ["SiteProxyTooOld", 29]);
  assert.match(await read("gitlab"), /"check_name": "SiteProxyTooOld"/);
  assert.match(await read("junit"), /<failure type="SiteProxyTooOld"/);
  const [finding] = objectsAt(parseObject(await read("json")), "findings");
  assert.deepEqual(
    [textAt(finding, "effect"), textAt(finding, "origin", "kind"), textAt(finding, "origin", "file")],
    ["breaks", "site", join(PROXY, "check.yaml")],
  );
  for (const format of ["markdown", "html"]) assert.match(await read(format), /SiteProxyTooOld from --checks/);
});

function selectFinding({ risk, object, message }: JsonObject): object {
  return { risk, object, message };
}

test("the same objects give the same findings in a recording of a cluster and in files", async () => {
  const { cluster } = parseCase(await readFile(join(PROXY, "cases/risk-old-proxy.yaml"), "utf8"));
  await mkdir(path("recorded"));
  await writeFile(path("recorded/cluster.json"), JSON.stringify(cluster));
  const items = listAt(cluster, "/apis/apps/v1/deployments", "items");
  await writeFile(path("case.json"), JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const target = ["--target-version", "4.21.0", "--checks", PROXY];
  const only = ["--only", "site-proxy-version", "-o", "json"];
  const checked = await runPreflight(["check", "--recorded", path("recorded"), ...target, ...only]);
  const judged = await runPreflight(["manifests", path("case.json"), ...target, "-o", "json"]);
  const own = objectsAt(parseObject(checked.out), "checks").find(({ id }) => id === "site-proxy-version");
  const ofCluster = objectsAt(own, "findings").map(selectFinding);
  const ofFiles = objectsAt(parseObject(judged.out), "findings")
    .filter(({ risk }) => risk === "SiteProxyTooOld")
    .map(selectFinding);
  assert.equal(ofCluster.length, 1);
  assert.deepEqual(ofFiles, ofCluster);
});

test("an object in another version is unknown, and the others are judged", async () => {
  const other = deployment("former", "example.com/web-proxy:v2.3.9", "apps/v1beta2");
  await writeFile(path("other.yaml"), `${other}---\n${NEW}`);
  const words = ["--accept", "RemovedKubernetesAPIInUse"];
  const { code, out } = await judgeProxy("other.yaml", ...words);
  assert.match(
    out,
    /The check site-proxy-version could not judge it: it is written in apps\/v1beta2, and the check reads apps\/v1\/deployments\.\n {4}other\.yaml:1:1 /,
  );
  assert.equal(code, 4);
  await writeFile(path("other.yaml"), `${other}---\n${OLD}`);
  assert.match((await judgeProxy("other.yaml", ...words)).out, /other\.yaml:29:11 .*It runs 2\.3\.9/);
});

test("what the check itself can't judge stands at its object", async () => {
  await writeFile(path("digest.yaml"), deployment("inner", `example.com/web-proxy@sha256:${"0".repeat(64)}`));
  const { code, out } = await judgeProxy("digest.yaml", "-o", "json");
  const [unknown] = listAt(parseObject(out), "unknowns");
  assert.equal(
    textAt(unknown, "message"),
    "The check site-proxy-version could not judge it: the image has no version as its tag.",
  );
  assert.equal(textAt(unknown, "object", "name"), "inner");
  assert.equal(code, 4);
});

test("objects of a CRD in the files are judged, and a finding leaves unknown what no CRD defines", async () => {
  const { code, out } = await judge("geese.yaml", "--checks", "geese-check.yaml");
  assert.match(out, /Blocks an update\n\n {2}Goose gray [^]*geese\.yaml:18:3 spec\.wild: It is wild\. Look away/);
  assert.match(out, /update to 4\.21\.0\. \(SiteSeen/);
  assert.equal(code, 3);
  await writeFile(path("undefined.yaml"), GOOSE.replaceAll("Goose", "Geese"));
  const undefinedKind = await judge("undefined.yaml", "--checks", "geese-check.yaml");
  assert.match(undefinedKind.out, /Blocks an update[^]*Neither the target nor these files define Geese/);
});

test("copies of an object, such as overlays, are judged each", async () => {
  await mkdir(path("overlays"));
  for (const [name, text] of Object.entries({ a: OLD, b: NEW.replace("outer", "inner"), c: OLD }))
    await writeFile(path(`overlays/${name}.yaml`), text);
  const { out } = await judgeProxy("overlays", "-o", "github");
  assert.deepEqual(out.match(/file=[^,]*,line=\d+/g), ["file=overlays/a.yaml,line=14", "file=overlays/c.yaml,line=14"]);
});

describe("a check", () => {
  test("that costs too much is unknown by its name, and the others go on", async () => {
    const { code, out } = await judgeProxy("wrong.yaml", "--checks", "bomb.yaml");
    assert.match(out, /SiteProxyTooOld/);
    assert.match(out, /The check site-bomb could not judge it: .* costs too much to evaluate\./);
    assert.equal(code, 3);
    assert.equal((await judge("right.yaml", "--checks", "bomb.yaml")).code, 4);
  });

  test("without onManifests is named and not run beside others, and wrong usage alone", async () => {
    const alone = await judge("right.yaml", "--checks", "unmarked.yaml");
    assert.equal(alone.code, 2);
    assert.match(alone.err, /no check of --checks runs on files: write onManifests: true into those that may/);
    const line = "preflight: not run on files, without onManifests: site-unmarked\n";
    const both = await judgeProxy("wrong.yaml", "--checks", "unmarked.yaml");
    assert.deepEqual([both.code, both.err], [3, line]);
  });

  test("that can't be loaded is unknown at its line", async () => {
    await writeFile(path("broken.yaml"), GEESE.replace("list: example", "get: example"));
    const { code, out, err } = await judge("right.yaml", "--checks", "broken.yaml");
    assert.match(err, /^broken\.yaml:9:/);
    assert.match(out, /The check site-geese could not judge everything:[^]*\n {4}broken\.yaml:9:/);
    assert.equal(code, 4);
  });

  test("is unknown if only CRDs are given", async () => {
    const { code, out } = await judge("geese.yaml", "--checks", "geese-check.yaml", "--crds", "geese.yaml");
    assert.match(out, /without a release nobody knows whether it applies: name one with --to or --target\./);
    assert.equal(code, 4);
  });

  test("that is not there is wrong usage, and the variable names checks, too", async () => {
    assert.equal((await judge("right.yaml", "--checks", "absent")).code, 2);
    const words = ["manifests", path("wrong.yaml"), "--to", "4.21.0"];
    assert.equal((await runPreflight(words, { PREFLIGHT_CHECKS: PROXY })).code, 3);
  });
});

test("its risk is accepted, and told apart if it was there before", async () => {
  assert.equal((await judgeProxy("wrong.yaml", "--accept", "SiteProxyTooOld")).code, 0);
  await mkdir(path("since"));
  const git = (...args: readonly string[]): unknown =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: path("since") });
  await writeFile(path("since/a.yaml"), OLD);
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "before");
  const same = await judgeProxy("since", "--since", "HEAD");
  assert.match(same.out, /: 1 there before\n/);
  assert.equal(same.code, 0);
});

test("a finding about an object that is in no file is unknown", async () => {
  const text = writeCheck(
    "owners",
    "apps/v1/deployments",
    `{forEach: objects.items, object: '{"apiVersion": "v1", "kind": "Namespace", "name": "edge"}', message: It is seen.}`,
  );
  await writeFile(path("owners.yaml"), text);
  const { code, out } = await judge("right.yaml", "--checks", "owners.yaml");
  assert.match(out.replaceAll(/\s+/g, " "), /SiteSeen is about Namespace edge, which is not in the files\./);
  assert.equal(code, 4);
  await writeFile(path("owned.yaml"), `apiVersion: v1\nkind: Namespace\nmetadata: {name: edge}\n---\n${NEW}`);
  const owned = await judge("owned.yaml", "--checks", "owners.yaml");
  assert.match(owned.out, /Namespace edge \(v1\)\n {4}owned\.yaml:1:1 It is seen\./);
  assert.equal(owned.code, 3);
});

test("of very many findings of one risk, as many are listed as a report of a cluster names", async () => {
  const items = Array.from({ length: 1003 }, (_, i) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `map-${i}` },
  }));
  await writeFile(path("many.json"), JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  await writeFile(
    path("maps.yaml"),
    writeCheck("maps", "v1/configmaps", "{forEach: objects.items, message: It is seen.}"),
  );
  const { out } = await judge("many.json", "--checks", "maps.yaml", "-o", "json");
  const report = parseObject(out);
  assert.equal(listAt(report, "findings").length, 1000);
  assert.deepEqual(
    objectsAt(report, "unknowns").map(({ message }) => message),
    ["The check site-maps could not judge everything: 3 more of its findings are not listed."],
  );
});
