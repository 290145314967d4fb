import type { KnownBug } from "../../src/checks/known-bugs/known-bug.ts";
import { formatMinor, parseVersion } from "../../src/model/version.ts";

/** The entries that concern nothing but updates to minors that are out of support. */
export function findEnded(bugs: readonly KnownBug[], minors: ReadonlySet<string>): readonly KnownBug[] {
  const isEnded = (release: string): boolean => {
    const version = parseVersion(release);
    return version !== undefined && minors.has(formatMinor(version));
  };
  return bugs.filter(({ versions }) => versions.every(({ first, last }) => isEnded(first) && isEnded(last)));
}
