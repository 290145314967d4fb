/** Kleene's three values: an unknown part makes the whole unknown, unless the other parts decide it. */
export type Truth = "yes" | "no" | "unknown";

export function toTruth(isTrue: boolean): Truth {
  return isTrue ? "yes" : "no";
}

export function negate(truth: Truth): Truth {
  if (truth === "unknown") return truth;
  return truth === "yes" ? "no" : "yes";
}

export function every(truths: readonly Truth[]): Truth {
  if (truths.includes("no")) return "no";
  return truths.includes("unknown") ? "unknown" : "yes";
}

export function some(truths: readonly Truth[]): Truth {
  return negate(every(truths.map(negate)));
}

/** Are at least this many true? */
export function atLeast(least: number, truths: readonly Truth[]): Truth {
  if (truths.filter((truth) => truth === "yes").length >= least) return "yes";
  return truths.filter((truth) => truth !== "no").length >= least ? "unknown" : "no";
}
