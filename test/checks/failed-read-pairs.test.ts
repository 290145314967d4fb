import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { readCase } from "../../src/cases/case-files.ts";
import { type OpenCase, judgeOpenCase, openCase } from "../../src/cases/runner.ts";
import { checks } from "../../src/checks/index.ts";
import { FailedError } from "../../src/model/errors.ts";
import type { ReadFailure, Reader } from "../../src/model/reader.ts";
import { buildResourcePath } from "../../src/model/resource.ts";

const UNREACHABLE: ReadFailure = { kind: "failed", reason: "Unreachable", message: "connection reset" };

/** How a read fails: at once, or when it has passed on all that it had. */
type Failing = "at once" | "at its end";

/** A reader whose reads at some paths fail. `seen` collects every path that is read. */
function failAt(reader: Reader, paths: ReadonlySet<string>, failing: Failing, seen = new Set<string>()): Reader {
  const attempt = async <T>(path: string, read: () => Promise<T>): Promise<T | ReadFailure> => {
    seen.add(path);
    if (!paths.has(path)) return read();
    if (failing === "at its end") await read();
    return UNREACHABLE;
  };
  return {
    ...reader,
    get: (location, signal) =>
      attempt(buildResourcePath(location.resource, location.namespace, location.name), () =>
        reader.get(location, signal),
      ),
    list: (resource, ...rest) => attempt(buildResourcePath(resource), () => reader.list(resource, ...rest)),
    raw: (path, ...rest) => attempt(path, () => reader.raw(path, ...rest)),
  };
}

/** Whether a risk is gone and nobody is told that something is unknown. A cycle that fails as a whole hides nothing. */
async function hides(open: OpenCase, check: (typeof checks)[number], expected: readonly string[]): Promise<boolean> {
  try {
    const { outcome, risks } = await judgeOpenCase(open, check, checks);
    const names = new Set(risks.map(({ name }) => name));
    return outcome.kind !== "unknown" && expected.some((name) => !names.has(name));
  } catch (thrown) {
    if (thrown instanceof FailedError) return false;
    throw thrown;
  }
}

/** Every path alone, and every pair. */
function listFailures(paths: readonly string[]): readonly (readonly string[])[] {
  return [
    ...paths.map((path) => [path]),
    ...paths.flatMap((one, i) => paths.slice(i + 1).map((other) => [one, other])),
  ];
}

describe("whichever two reads fail, a risk stays or is unknown", () => {
  for (const check of checks) {
    const [file] = caseFiles(check).filter(({ name }) => name.startsWith("risk-"));
    if (file === undefined) continue;
    test(`${check.id}, ${file.name}`, async () => {
      const open = await openCase(readCase(file));
      const seen = new Set<string>();
      const { risks } = await judgeOpenCase(
        { ...open, reader: failAt(open.reader, new Set(), "at once", seen) },
        check,
        checks,
      );
      const expected = risks.map(({ name }) => name);
      assert.ok(expected.length > 0 && seen.size > 0);
      const hidden: string[] = [];
      for (const paths of listFailures([...seen]))
        for (const failing of ["at once", "at its end"] as const) {
          const reader = failAt(open.reader, new Set(paths), failing);
          if (await hides({ ...open, reader }, check, expected)) hidden.push(`${paths.join(" and ")}, ${failing}`);
        }
      assert.deepEqual(hidden, []);
    });
  }
});
