import { strict as assert } from "node:assert";
import { test } from "node:test";
import { formatFault } from "../../src/data-checks/format/fault.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import { buildContext } from "../../src/model/check.ts";
import { isLaterPreflight } from "../../src/model/program-version.ts";
import { release, version } from "../support/fixtures.ts";

const CHECK = `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: quotas}
spec:
  title: No quota is used up
  applies: {updates: [minor]}
  reads:
    quotas: {list: v1/resourcequotas, where: 'object.?status.?used.?pods.hasValue() && object.?status.?hard.?pods.hasValue()'}
  risks:
    - name: QuotaUsedUp
      effect: stuck
      title: Quotas are used up
      url: https://example.com/quotas
      message: Nothing more can be created in the namespaces of \${objects}.
      remediation: Raise the quotas.
      findings:
        - forEach: quotas.items
          when: object.status.used.pods == object.status.hard.pods
          message: It is used up.
`;

async function load(...texts: readonly string[]): Promise<Awaited<ReturnType<typeof loadChecks>>> {
  return loadChecks(
    texts.map((text, i) => ({ name: `${i}.yaml`, text })),
    { kind: "site" },
    new Set(["SiteTaken"]),
  );
}

test("a check of the administrator has the names of its origin", async () => {
  const { checks, faults } = await load(CHECK);
  assert.deepEqual(faults, []);
  const [check] = checks;
  assert.deepEqual([check?.id, check?.name, check?.risks[0]?.name], ["site-quotas", "SiteQuotas", "SiteQuotaUsedUp"]);
});

const LATER = CHECK.replace("spec:\n", "spec:\n  requires: {preflight: 9999.0.0}\n");

test("a preflight of any version runs what needs none that is later", () => {
  const cases: readonly (readonly [required: string, own: string])[] = [
    ["0.3.0", "0.3.0"],
    ["0.3.0", "0.3.1"],
    ["0.3.0", "0.10.0"],
    ["0.3.0", "0.3.0-rc.1"],
    ["0.3.0", "0.0.0-source"],
    ["0.3", "0.1.0"],
  ];
  assert.deepEqual(
    cases.filter(([required, own]) => isLaterPreflight(required, own)),
    [],
  );
  for (const own of ["0.2.9", "0.3.0", "0.3.0-rc.1"]) assert.ok(isLaterPreflight("0.3.1", own), own);
});

test("a check for a later preflight is unknown with its version, whatever else it has", async () => {
  const laterToo = LATER.replace("v1alpha1", "v3").replace("findings:", "discoveries: new()\n      findings:");
  for (const [text, requires] of [[LATER], [laterToo], [CHECK, "9999.0.0"]] as const) {
    const source = { name: "a.yaml", text, ...(requires === undefined ? {} : { requires }) };
    const { checks, faults } = await loadChecks([source], { kind: "site" }, new Set(), { preflight: "0.3.0" });
    const message = "it needs preflight 9999.0.0 or later, and this is 0.3.0";
    assert.deepEqual(
      faults.map((fault) => fault.message),
      [message],
    );
    const [check, ...more] = checks;
    assert.deepEqual([check?.id, more], ["site-quotas", []]);
    const context = buildContext(version("4.20.1"), release("4.21.0"), new Date(0));
    const unknowns = check?.evaluate({}, context, {}).unknowns ?? [];
    assert.deepEqual(
      unknowns.map(({ reason, message: why }) => [reason, why]),
      [["PreflightTooOld", message]],
    );
  }
  const { faults } = await loadChecks([{ name: "a.yaml", text: LATER }], { kind: "site" }, new Set(), {
    preflight: "9999.0.0",
  });
  assert.deepEqual(faults, []);
});

test("what a check requires is a full version", async () => {
  const { faults } = await load(LATER.replace("9999.0.0", '"0.3"'));
  assert.deepEqual(
    faults.map(({ place, message }) => `${place}: ${message}`),
    ["spec.requires.preflight: it must be a full version such as 4.21.3"],
  );
});

test("no two checks have one id, whatever is wrong with them", async () => {
  const invalid = CHECK.replace("remediation:", "remedation:");
  const other = CHECK.replace("name: quotas", "name: checks").replace("QuotaUsedUp", "Other");
  for (const texts of [[CHECK, invalid], [invalid, invalid], [other, "kind: ["], [other], ["a: b", "a: b"]]) {
    const { checks, faults } = await load(...texts);
    assert.deepEqual([checks.length, faults.length > 0], [1, true], texts.join("---"));
    const [check] = checks;
    assert.equal(check?.risks.length, 0);
  }
});

test("a name that no document could have is nobody's", async () => {
  for (const name of ["a".repeat(41), "A", "a b", '"a\u202e"', "1", "[a]", "''"]) {
    const { checks } = await load(CHECK.replace("name: quotas", `name: ${name}`));
    assert.deepEqual(
      checks.map((check) => [check.id, check.name]),
      [["site-checks", "SiteChecks"]],
      name,
    );
  }
});

test("what is no check at all is said once, and not of its fields", async () => {
  const other = CHECK.replace("preflight.openshift.io/v1alpha1", "kustomize.config.k8s.io/v1beta1");
  const { faults } = await load(other.replace("PreflightCheck", "Kustomization").replace("title:", "name:"));
  assert.deepEqual(
    faults.map(({ line, place, message }) => `${line} ${place}: ${message}`),
    ['1 apiVersion: it must be "preflight.openshift.io/v1alpha1"', '2 kind: it must be "PreflightCheck"'],
  );
});

const FAULTY: readonly (readonly [what: string, text: string, lines: string])[] = [
  [
    "a field that does not exist",
    CHECK.replace("remediation:", "remedation:"),
    `0.yaml:15:7: spec.risks[0].remedation: remedation is not a field here
   15 |       remedation: Raise the quotas.
      |       ^^^^^^^^^^ did you mean remediation?`,
  ],
  [
    "a name that is not declared",
    CHECK.replace("forEach: quotas.items", "forEach: qotas.items"),
    `0.yaml:17:20: spec.risks[0].findings[0].forEach: the name qotas is not declared
   17 |         - forEach: qotas.items
      |                    ^^^^^ did you mean quotas?`,
  ],
  [
    "a number where a text belongs",
    CHECK.replace("{updates: [minor]}", "{crosses: 4.20}"),
    `0.yaml:6:22: spec.applies.crosses: it must be a text
    6 |   applies: {crosses: 4.20}
      |                      ^^^^ put it in quotes`,
  ],
];

for (const [what, text, lines] of FAULTY) {
  test(`${what} is found, and the check is unknown`, async () => {
    const { checks, faults } = await load(text);
    assert.equal(faults.map(formatFault)[0], lines);
    assert.deepEqual(
      checks.map(({ id, risks }) => [id, risks]),
      [["site-quotas", []]],
    );
  });
}

test("two checks of one name are both unknown, and so is a text without a check", async () => {
  const { checks, definitions, faults } = await load(CHECK, CHECK, "a: [");
  assert.deepEqual(
    checks.map(({ id }) => id),
    ["site-checks", "site-quotas"],
  );
  assert.deepEqual(definitions, []);
  assert.ok(faults.some(({ message }) => message === "the name SiteQuotaUsedUp is taken"));
});
