/** `PREFLIGHT_CASES=all` tries every case of what is too much for each change; nightly.yml does. */
export const hasAllCases = process.env["PREFLIGHT_CASES"] === "all";

/** Each `step`th, from the first; all of them with PREFLIGHT_CASES=all. */
export function sampleEach<T>(all: readonly T[], step: number): readonly T[] {
  return hasAllCases ? all : all.filter((_, i) => i % step === 0);
}

/** For node:test's `skip`: a play, or a variant of a test that runs for each change. */
export const nightly: string | false = hasAllCases ? false : "only with PREFLIGHT_CASES=all, as nightly.yml does";
