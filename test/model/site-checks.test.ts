import assert from "node:assert/strict";
import { test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { getUnknownRiskName } from "../../src/model/check.ts";
import {
  attribute,
  describeOrigin,
  nameOrigin,
  formatOrigin,
  CHECKS_FOLDER,
  KNOWN_BUGS_FOLDER,
  formatChecksFlags,
  getCheckFileName,
  isOthersRisk,
  limitSiteRisks,
} from "../../src/model/check-origin.ts";

test("no name of this build begins as those of others do", () => {
  const names = checks.flatMap((check) => [
    check.id,
    check.name,
    getUnknownRiskName(check),
    ...check.risks.flatMap(({ name, knownAs }) => [name, ...(knownAs?.published ?? []), knownAs?.liftedAs ?? name]),
  ]);
  assert.ok(names.length > 100);
  assert.deepEqual(
    names.filter((name) => /^(?:Ns|Olm|Site)[A-Z0-9]|^(?:ns|olm|payload|site)-/.test(name)),
    [],
  );
});

test("a file in the runner's folder is a key of its ConfigMap, and no flag can name it", () => {
  const file = getCheckFileName(`${CHECKS_FOLDER}/csi.yaml`);
  assert.equal(file, "ConfigMap preflight-checks csi.yaml");
  assert.equal(getCheckFileName(KNOWN_BUGS_FOLDER), "ConfigMap preflight-known-bugs");
  assert.equal(getCheckFileName(`${KNOWN_BUGS_FOLDER}/aws.yaml`), "ConfigMap preflight-known-bugs aws.yaml");
  assert.equal(getCheckFileName("checks/my csi.yaml"), "checks/my csi.yaml");
  const origins = [{ kind: "site", file } as const, { kind: "site", file: "checks/my csi.yaml" } as const, undefined];
  assert.equal(formatChecksFlags(origins), " --checks 'checks/my csi.yaml' --checks FILE");
  assert.equal(formatOrigin(origins[0]), "From the administrator's check ConfigMap preflight-checks csi.yaml: ");
  assert.equal(formatOrigin(undefined), "");
});

test("administrators and vendors share the places of their risks, and neither takes those of the other", () => {
  const build = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}Risk${i}`);
  const count = (site: number, olm: number) => {
    const vendors = [...build("Olm", Math.floor(olm / 2)), ...build("Ns", Math.ceil(olm / 2))];
    const names = [...vendors, "CgroupV1Removed", ...build("Site", site), ...build("Other", 20)];
    const { within, beyond } = limitSiteRisks(names, (name) => name);
    assert.deepEqual([...within, ...beyond].toSorted(), names.toSorted());
    assert.ok(within.includes("CgroupV1Removed") && within.includes("OtherRisk19"));
    return [within.filter((name) => name.startsWith("Site")), within.filter((name) => /^(?:Olm|Ns)/.test(name))].map(
      ({ length }) => length,
    );
  };
  assert.deepEqual(count(30, 30), [8, 7]);
  assert.deepEqual(count(30, 2), [13, 2]);
  assert.deepEqual(count(3, 30), [3, 12]);
  assert.deepEqual(count(30, 0), [15, 0]);
  assert.deepEqual(count(0, 30), [0, 15]);
  assert.deepEqual(count(4, 4), [4, 4]);
});

test("a flag brings the checks of each origin, once", () => {
  const operator = { kind: "operator", package: "a", version: "1", file: "a.yaml" } as const;
  const payload = { kind: "payload", release: "4.19.1", file: "b.yaml" } as const;
  const bugs = { kind: "knownBugs", list: "c", date: "2026-01-01", file: "c.yaml" } as const;
  const held = { ...bugs, file: "ConfigMap preflight-known-bugs c.yaml" } as const;
  const shop = { kind: "namespace", namespace: "shop", file: "e.yaml" } as const;
  const labelled = { ...shop, selector: "app!=a,b=c" } as const;
  const flags = [[operator, operator], [shop], [labelled], [payload], [bugs], [held], [undefined], []].map(
    formatChecksFlags,
  );
  assert.deepEqual(flags, [
    " --checks-from payload,operators",
    " --checks-from payload,configmaps=shop",
    " --checks-from payload,'configmaps=shop/app!=a,b=c'",
    " --target DIR",
    " --known-bugs c.yaml",
    " --known-bugs FILE",
    "",
    "",
  ]);
  const texts = [operator, shop, payload, bugs].map(formatOrigin);
  assert.deepEqual(texts, ["From operator a 1: ", "From namespace shop: ", "From release 4.19.1: ", ""]);
  const site = { kind: "site", file: "d.yaml" } as const;
  assert.deepEqual([operator, payload, bugs, site].map(nameOrigin), [
    "operator a 1",
    "release 4.19.1",
    "--known-bugs",
    "--checks",
  ]);
  assert.equal(attribute("a\n\nFrom release 5.0.1: b", operator), "From operator a 1: a From release 5.0.1: b");
  assert.equal(attribute("a\nb", undefined), "a\nb");
  assert.equal(describeOrigin(bugs), "the list of known bugs c of 2026-01-01");
});

test("risks of others begin with a word of theirs, and some of them are beyond", () => {
  const names = ["SiteA", "Olm1", "Sites", "Site", "MySiteA", "OlmA", "NsA", "Nsa"];
  assert.deepEqual(names.filter(isOthersRisk), ["SiteA", "Olm1", "OlmA", "NsA"]);
  const many = Array.from({ length: 16 }, (_, i) => `Site${i}`);
  const { within, beyond } = limitSiteRisks([...many, "Other"], (name) => name);
  assert.deepEqual([within, beyond], [[...many.slice(0, 15), "Other"], ["Site15"]]);
});
