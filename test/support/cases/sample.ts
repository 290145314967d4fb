/** `PREFLIGHT_CASES=all` tries every case of what is too much for each change; nightly.yml does. */
export const hasAllCases = process.env["PREFLIGHT_CASES"] === "all";

/** Each `step`th, from the first; all of them with PREFLIGHT_CASES=all. */
export function sampleEach<T>(all: readonly T[], step: number): readonly T[] {
  return hasAllCases ? all : all.filter((_, i) => i % step === 0);
}
