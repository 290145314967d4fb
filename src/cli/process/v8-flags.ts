/** Defined by the build, from tools/v8-flags.json; a run from source has none. */
declare const PREFLIGHT_V8_FLAGS: readonly string[] | undefined;

const V8_FLAGS = typeof PREFLIGHT_V8_FLAGS === "undefined" ? [] : PREFLIGHT_V8_FLAGS;

/** The flags of this process with those of V8 that it lacks; what a person has set stays. */
export function addV8Flags(flags: readonly string[], nodeOptions: string | undefined): readonly string[] {
  const given = [...flags, ...(nodeOptions ?? "").split(/\s+/)].map(getName);
  return [...flags, ...V8_FLAGS.filter((flag) => !given.includes(getName(flag)))];
}

function getName(flag: string): string {
  return (flag.split("=")[0] ?? "").replaceAll("_", "-");
}
