import { FURTHER_RISKS, type WrittenDocument } from "../../model/document.ts";

/** What a completed document says against itself: nothing of it can be relied on then. */
export function findContradictions(document: WrittenDocument): readonly string[] {
  if (document.executionStatus !== "completed") return [];
  const isEmpty = document.checks?.length === 0;
  return [
    ...(isEmpty ? ["checks: must not be empty in a completed document"] : []),
    ...(document.complete === true ? findUnseen(document) : []),
    ...findLostRisks(document),
  ];
}

/** What keeps a document from being complete, although it says that it is. */
function findUnseen({ checks, risks }: WrittenDocument): readonly string[] {
  if (checks === undefined) return ["complete: must not be true without checks"];
  const incomplete = checks.filter(({ outcome, accepted }) => outcome === "unknown" && accepted === undefined);
  const partial = risks.filter(({ conditions }) => conditions?.[0].reason === "PreflightPartial");
  return [
    ...incomplete.map(({ id }) => `complete: must not be true, because the outcome of ${id} is unknown`),
    ...partial.map(({ name }) => `complete: must not be true, because ${name} reports an incomplete check`),
  ];
}

/** A document without room for all risks says so. */
function findLostRisks({ checks = [], risks }: WrittenDocument): readonly string[] {
  const names = new Set(risks.map(({ name }) => name));
  if (names.has(FURTHER_RISKS)) return [];
  return checks.flatMap(({ id, outcome, risks: own = [] }, i) => {
    const lost = own.filter((name) => !names.has(name)).map((name) => `checks[${i}].risks: ${name} is not in risks`);
    const isUnnamed = outcome === "risk" && own.length === 0 && risks.length === 0;
    return isUnnamed ? [`risks: must not be empty, because the outcome of ${id} is risk`] : lost;
  });
}
