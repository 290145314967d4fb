import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fitToBudget,
  MAX_MESSAGE,
  MAX_RISKS,
  MAX_TEXT,
  type UnfittedRisk,
} from "../../../src/format/document/budget.ts";
import { countCharacters } from "../../../src/model/text.ts";
import { FURTHER_RISKS } from "../../../src/model/document.ts";
import { randomFrom } from "../../../verify/pages/sample.ts";

const REMEDY = "Do this first.";

function note(index: number, length: number, more: Partial<UnfittedRisk> = {}): UnfittedRisk {
  const name = `Risk${String(index).padStart(4, "0")}`;
  const filling = "word ".repeat(Math.ceil(length / 5)).slice(0, Math.max(0, length - REMEDY.length - 2));
  return {
    name,
    unknown: false,
    message: `${filling}. ${REMEDY}`,
    remediation: REMEDY,
    url: `https://docs.example/${name}`,
    ...more,
  };
}

function notes(count: number, length: number, more: Partial<UnfittedRisk> = {}): readonly UnfittedRisk[] {
  return Array.from({ length: count }, (_, i) => note(i, length, more));
}

function total(risks: readonly UnfittedRisk[]): number {
  return risks.reduce((sum, { message, url }) => sum + countCharacters(message) + countCharacters(url), 0);
}

test("texts that fit are not changed", () => {
  const risks = notes(15, 900);
  assert.deepEqual(fitToBudget(risks), risks);
  assert.deepEqual(fitToBudget([]), []);
});

test("a message of 1,000 characters stays whole, one of 1,001 is shortened", () => {
  assert.equal(fitToBudget([note(0, 1_000)])[0]?.message.length, 1_000);
  const [short] = fitToBudget([note(0, 1_001)]);
  assert.ok((short?.message.length ?? 0) <= MAX_MESSAGE);
  assert.match(short?.message ?? "", /word… Do this first\.$/);
});

test("texts that are too long together are shortened equally, and short ones stay whole", () => {
  const risks = [...notes(20, 200), ...Array.from({ length: 20 }, (_, i) => note(100 + i, 990))];
  const fitted = fitToBudget(risks);
  assert.deepEqual(fitted.slice(0, 20), risks.slice(0, 20));
  const lengths = fitted.slice(20).map(({ message }) => message.length);
  assert.ok(Math.max(...lengths) - Math.min(...lengths) <= 5);
  assert.ok(total(fitted) <= MAX_TEXT && total(fitted) > MAX_TEXT - 200);
  assert.ok(fitted.every(({ message }) => message.endsWith(REMEDY)));
});

test("with more than 50 risks, the last says how many more there are", () => {
  const fitted = fitToBudget(notes(53, 100));
  assert.equal(fitted.length, MAX_RISKS);
  assert.deepEqual(fitted.slice(0, 49), notes(49, 100));
  const last = fitted.at(-1);
  assert.equal(last?.name, FURTHER_RISKS);
  assert.match(last?.message ?? "", /^4 more risks apply to this cluster\. .*preflight check -o json/);
  assert.equal(
    fitToBudget(notes(50, 100)).some(({ name }) => name === FURTHER_RISKS),
    false,
  );
});

test("risks of incomplete checks are cut before real risks, and the order stays", () => {
  const risks = [...notes(10, 100, { unknown: true }), ...Array.from({ length: 45 }, (_, i) => note(100 + i, 100))];
  const fitted = fitToBudget(risks);
  assert.deepEqual(fitted.slice(0, -1), [...risks.slice(0, 4), ...risks.slice(10)]);
  assert.match(fitted.at(-1)?.message ?? "", /^6 more checks could not be completed\./);
  assert.equal(fitted.at(-1)?.unknown, true);
});

test("long URLs, which can't be shortened, displace risks", () => {
  const fitted = fitToBudget(notes(20, 100, { url: `https://docs.example/${"a".repeat(1_500)}` }));
  assert.equal(fitted.length, 10);
  assert.match(fitted.at(-1)?.message ?? "", /^11 more risks/);
  assert.deepEqual(
    fitToBudget(notes(1, 100, { url: `https://docs.example/${"a".repeat(16_000)}` })).map(({ name }) => name),
    [FURTHER_RISKS],
  );
});

test("the budget holds for any risks (seeded)", () => {
  const random = randomFrom(20_260_301);
  for (let round = 0; round < 300; round += 1) {
    const risks = Array.from({ length: Math.floor(random() * 90) }, (_, i) =>
      note(i, 20 + Math.floor(random() ** 3 * 3_000), {
        unknown: random() < 0.3,
        url: `https://docs.example/${"p".repeat(Math.floor(random() ** 4 * 900))}`,
        ...(random() < 0.2 ? { message: "𝒳é🚀".repeat(1 + Math.floor(random() * 500)) } : {}),
      }),
    );
    const fitted = fitToBudget(risks);
    assert.ok(fitted.length <= MAX_RISKS && total(fitted) <= MAX_TEXT);
    assert.ok(
      fitted.every(
        ({ message }) => countCharacters(message) <= MAX_MESSAGE && message.isWellFormed() && message !== "",
      ),
    );
    assert.equal(fitted.length === 0, risks.length === 0);
    assert.deepEqual(fitted, fitToBudget(risks));
    const kept = new Set(fitted.map(({ name }) => name));
    const lost = risks.filter(({ name }) => !kept.has(name));
    const said = fitted.at(-1)?.message.match(/\d+(?= more)/g) ?? [];
    if (lost.length > 0)
      assert.equal(
        said.reduce((sum, number) => sum + Number(number), 0),
        lost.length,
      );
    if (lost.some(({ unknown }) => !unknown)) assert.ok(fitted.every(({ unknown }) => !unknown));
  }
});

test("at most 15 risks of an administrator's checks are named, whatever room there is", () => {
  const own = Array.from({ length: 17 }, (_, i) => note(i, 100, { name: `SiteRisk${String(i).padStart(2, "0")}` }));
  const builtIn = notes(10, 100);
  const fitted = fitToBudget([...builtIn, ...own, note(40, 100, { name: "SitesOfBuild" })]);
  const named = fitted.map(({ name }) => name);
  assert.equal(named.filter((name) => name.startsWith("SiteRisk")).length, 15);
  assert.equal(named.includes("SitesOfBuild"), true);
  assert.match(fitted.at(-1)?.message ?? "", /^2 more risks apply to this cluster\./);
});
