import { type Json, type JsonObject, at, isObject, listAt, textAt, textsAt } from "../../src/model/json.ts";
import { formatOracleError, isOwnError, sortUnique } from "./disagreement.ts";
import type { Oracle, Question } from "./oracle.ts";
import { PARTNERS, type Sample, findField, formatRead, formatTold } from "./prediction.ts";
import type { Answer } from "./server-answers.ts";
import { type Subject, isOfVersion } from "./subject.ts";
import type { Outcome, Verdict } from "./verdict.ts";

/** A subject, and the files that hold its CRDs. */
export type FiledSubject = { readonly subject: Subject; readonly before: string; readonly after: string };

type Asked = { readonly filed: FiledSubject; readonly object: JsonObject };
type Stored = Asked & { readonly first: JsonObject; readonly stored: JsonObject | undefined };

/** The same questions as of a server, to the packages that it is made of: a hundred times as many in the same time. */
export async function askPackages(oracle: Oracle, all: readonly FiledSubject[]): Promise<readonly Answer[]> {
  const asked = all.flatMap((filed) =>
    filed.subject.round.objects
      .filter((object) => isOfVersion(object, filed.subject))
      .map((object) => ({ filed, object })),
  );
  const firsts = await oracle(asked.map(askFirst));
  const stored = asked.map((one, i): Stored => {
    const first = firsts[i] ?? {};
    const kept = at(first, "stored");
    return { ...one, first, stored: isObject(kept) ? kept : undefined };
  });
  const samples = stored.map((one, i) => buildSample(one, stored, i));
  const questions = stored.map((one, i) => askMore(one, samples[i] ?? { object: one.object }));
  const answers = await oracle(questions.flat());
  let next = 0;
  return stored.map((one, i) => {
    const own = (questions[i] ?? []).map(() => answers[next++]);
    const sample = samples[i] ?? { object: one.object };
    return { subject: one.filed.subject, sample, outcome: buildOutcome(one, sample, own) };
  });
}

function askFirst({ filed: { subject, before, after }, object }: Asked): Question {
  return { crd: after, live: before, version: subject.version, object, apply: true, exact: true };
}

/** The objects of a round follow each other, so that the next one has the same type. */
function buildSample({ filed, object, stored }: Stored, all: readonly Stored[], i: number): Sample {
  if (stored === undefined) return { object };
  const next = all.slice(i + 1, i + 1 + PARTNERS).filter((one) => one.filed === filed);
  const others = next.map((one) => one.stored).filter(isObject);
  return { object, stored, ...findField(others, "edit", "spec"), ...findField(others, "status", "status") };
}

function askMore({ filed: { subject, after } }: Stored, { stored, edit, status }: Sample): readonly Question[] {
  if (stored === undefined) return [];
  const ask = (object: JsonObject): Question => ({
    crd: after,
    version: subject.version,
    object,
    old: stored,
    exact: true,
  });
  return [
    { crd: after, live: after, version: subject.version, object: stored, exact: true },
    ask(stored),
    ...(edit ? [ask({ ...stored, ...edit })] : []),
    ...(status ? [ask({ ...stored, ...status })] : []),
  ];
}

function buildOutcome(
  { first, stored }: Stored,
  { edit, status }: Sample,
  [read, unchanged, ...changed]: readonly (JsonObject | undefined)[],
): Outcome {
  if (textAt(first, "error") !== undefined)
    return { create: { passes: false, details: [`error ${textAt(first, "error")}`] } };
  const store = buildVerdict(listAt(first, "before"));
  if (stored === undefined) return { store };
  const create = buildVerdict(listAt(first, "errors"));
  const replace = buildVerdict(listAt(first, "ratcheted"));
  const apply = { passes: replace.passes && textAt(first, "apply") === undefined };
  const shown = at(read, "stored");
  const [edited, statused] = edit ? changed : [undefined, ...changed];
  return {
    store,
    ...(shown === undefined ? {} : { read: { passes: true, details: [formatRead(shown)] } }),
    pruned: { passes: true, details: sortUnique(textsAt(first, "pruned")) },
    create,
    replace,
    unchanged: buildUpdateVerdict(unchanged),
    apply,
    ...(edit ? { edit: buildUpdateVerdict(edited) } : {}),
    ...(status ? { status: buildUpdateVerdict(statused) } : {}),
    told: formatTold({ isRejected: !replace.passes, isApplyRefused: !apply.passes, isFrozen: !create.passes }),
  };
}

function buildUpdateVerdict(answer: JsonObject | undefined): Verdict {
  const error = textAt(answer, "error");
  return error === undefined ? buildVerdict(listAt(answer, "errors")) : { passes: false, details: [`error ${error}`] };
}

function buildVerdict(errors: readonly Json[]): Verdict {
  const details = sortUnique(errors.filter(isOwnError).map(formatOracleError));
  return { passes: details.length === 0, details };
}
