import type { CheckText, CheckFault } from "../../../../data-checks/fault.ts";
import { parseChecks } from "../../../../data-checks/format/parse.ts";
import { loadChecks } from "../../../../data-checks/load.ts";
import { parseDocuments } from "../../../../encoding/yaml.ts";
import type { Check } from "../../../../model/check.ts";
import type { Json } from "../../../../model/json.ts";
import { type CaseResult, isSameReport } from "./case-results.ts";
import { type Mutation, applyMutation, listMutations } from "./mutations.ts";

/** The parts of a check's expressions that can be changed without any case that notices. */
export async function findUndecided(
  text: CheckText,
  cases: readonly CaseResult[],
  others: readonly Check[],
  list = listMutations,
): Promise<readonly CheckFault[]> {
  const parsed = parseDocuments(text.text);
  const [document] = parsed.kind === "documents" ? parsed.documents : [];
  const { checks } = await parseChecks(text);
  const [source] = checks;
  if (document === undefined || source === undefined) return [];
  const undecided: CheckFault[] = [];
  for (const mutation of list(document))
    if (!(await isNoticed(text.name, document, mutation, cases, others)))
      undecided.push(source.locate(describeMutation(mutation)));
  return undecided;
}

/** What can't be loaded any more says nothing about the cases. */
async function isNoticed(
  name: string,
  document: Json,
  mutation: Mutation,
  cases: readonly CaseResult[],
  others: readonly Check[],
): Promise<boolean> {
  const text = JSON.stringify(applyMutation(document, mutation));
  const { checks, faults } = await loadChecks([{ name, text }], { kind: "embedded" }, new Set());
  const [check] = checks;
  if (check === undefined || faults.some(({ severity }) => severity === "error")) return true;
  for (const one of cases) if (!(await isSameReport(one, check, others))) return true;
  return false;
}

function describeMutation({ place, expression, start, end, instead }: Mutation): Parameters<Locate>[0] {
  const written = expression.slice(start, end);
  const change = instead === "" ? `without ${written}` : `with ${instead} instead`;
  return {
    severity: "warning",
    place,
    span: { start, end },
    message: `no case decides ${written}`,
    hint: `${change}, all cases report the same`,
  };
}

type Locate = Awaited<ReturnType<typeof parseChecks>>["checks"][number]["locate"];
