import { buildCheck } from "../../../../data-checks/build-check.ts";
import { compileCheck } from "../../../../data-checks/compile/compile.ts";
import type { CheckDefinition } from "../../../../data-checks/definition.ts";
import { loadChecks } from "../../../../data-checks/load.ts";
import { UsageError } from "../../../../model/errors.ts";
import type { Io } from "../../../io/io.ts";
import { type OpenCluster, openCaseCluster, openOtherCluster } from "../case-cluster.ts";
import { printErrors } from "../judged-texts.ts";
import { readCheckTexts } from "../check-files.ts";
import type { ExplainChecksValues } from "./definition.ts";
import { formatDefinition } from "./definition-page.ts";
import { judgeCluster } from "./judged-check.ts";
import { formatValues } from "./values-page.ts";

/** Explains every check of the files, and on a cluster what each says of it. */
export async function run(values: ExplainChecksValues, io: Io): Promise<0 | 3> {
  const { definitions, faults } = await loadChecks(
    await readCheckTexts([values.path]),
    { kind: "embedded" },
    new Set(),
  );
  if (printErrors(faults, io)) return 3;
  const cluster = await openChosenCluster(values, io);
  try {
    for (const [i, { definition }] of definitions.entries())
      io.out(`${i === 0 ? "" : "\n"}${await explain(definition, cluster, values, io)}`);
  } finally {
    cluster?.close();
  }
  return 0;
}

/** No cluster, unless a setting names one or an object of it. */
async function openChosenCluster(values: ExplainChecksValues, io: Io): Promise<OpenCluster | undefined> {
  const { kubeconfig, context, recorded, "must-gather": archive, case: file, object } = values;
  const others = [kubeconfig, context, recorded, archive].filter((one) => one !== undefined);
  if (file !== undefined && others.length > 0)
    throw new UsageError("--case is an alternative to a cluster: give one of them");
  if (file !== undefined) return openCaseCluster(file);
  if (others.length === 0 && object === undefined) return undefined;
  return openOtherCluster(values, io);
}

async function explain(
  definition: CheckDefinition,
  cluster: OpenCluster | undefined,
  values: ExplainChecksValues,
  io: Io,
): Promise<string> {
  const check = buildCheck(definition);
  const { check: compiled } = compileCheck(definition);
  const page = formatDefinition(check, definition, compiled);
  if (cluster === undefined) return page;
  const judged = await judgeCluster(check, cluster, values, io);
  return `${page}\n${formatValues(judged, definition, compiled, values.object)}`;
}
