import { comparePrerelease } from "../../../model/version.ts";
import type { SemverValue } from "./value.ts";

const NUMBER = /^(?:0|[1-9]\d*)$/;
const MAX_UINT64 = 2n ** 64n;

/** A semantic version; undefined for any other text. */
export function parseSemver(text: string): SemverValue | undefined {
  const [, major = "", minor = "", rest = ""] = /^(\d+)\.(\d+)\.(.*)$/s.exec(text) ?? [];
  const plus = rest.indexOf("+");
  const build = plus < 0 ? undefined : rest.slice(plus + 1);
  const plain = plus < 0 ? rest : rest.slice(0, plus);
  const dash = plain.indexOf("-");
  const prerelease = dash < 0 ? [] : plain.slice(dash + 1).split(".");
  const parts = [major, minor, dash < 0 ? plain : plain.slice(0, dash)];
  if (!parts.every((part) => NUMBER.test(part) && BigInt(part) < MAX_UINT64)) return undefined;
  if (
    !prerelease.every(isPrerelease) ||
    (build !== undefined && !build.split(".").every((part) => /^[0-9A-Za-z-]+$/.test(part)))
  )
    return undefined;
  const [a = 0n, b = 0n, c = 0n] = parts.map(BigInt);
  return { kind: "semver", parts: [a, b, c], prerelease };
}

function isPrerelease(part: string): boolean {
  if (/^\d+$/.test(part)) return NUMBER.test(part) && BigInt(part) < MAX_UINT64;
  return /^[0-9A-Za-z-]+$/.test(part);
}

/** A leading v, leading zeros and missing numbers are tolerated. */
export function parseNormalizedSemver(text: string): SemverValue | undefined {
  const [major = "", minor, ...rest] = (text.startsWith("v") ? text.slice(1) : text).split(".");
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join(".")])];
  const trimmed = parts.map(stripLeadingZeros);
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1) ?? "")) return undefined;
  while (trimmed.length < 3) trimmed.push("0");
  return parseSemver(trimmed.join("."));
}

function stripLeadingZeros(part: string): string {
  if (part.length <= 1) return part;
  const rest = part.replace(/^0+/, "");
  return /^\d/.test(rest) ? rest : `0${rest}`;
}

/** Less than, equal to or greater than zero; build metadata is ignored. */
export function compareVersions(a: SemverValue, b: SemverValue): number {
  for (const i of [0, 1, 2] as const) {
    if (a.parts[i] !== b.parts[i]) return a.parts[i] < b.parts[i] ? -1 : 1;
  }
  return Math.sign(comparePrerelease(a.prerelease, b.prerelease));
}
