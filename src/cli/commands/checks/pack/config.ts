import checkSchema from "../../../../../schemas/preflight-check-v1alpha1.schema.json" with { type: "json" };
import bugsSchema from "../../../../../schemas/preflight-known-bugs-v1alpha1.schema.json" with { type: "json" };
import { listUsedFields, listUsedFunctions } from "../../../../data-checks/format/requirements.ts";
import { parseDocuments } from "../../../../encoding/yaml.ts";
import { formatCount } from "../../../../model/count.ts";
import type { Json, JsonObject } from "../../../../model/json.ts";
import { sortNames } from "../../../../model/names.ts";
import type { ArtefactFile } from "../../../../release/image/artefact/artefact.ts";
import type { JudgedTexts } from "../judged-texts.ts";

/** What an artefact says of itself. `name`: in its layout; `what`: in words. */
type ArtefactFacts = { readonly config: JsonObject; readonly name: string; readonly what: string };

export function buildConfig(judged: JudgedTexts, files: readonly ArtefactFile[]): ArtefactFacts {
  const documents = files.filter(({ path }) => !isCase(path)).flatMap(parse);
  const apiVersion = "preflight.openshift.io/v1alpha1";
  const schema = judged.kind === "checks" ? checkSchema : bugsSchema;
  const requires = {
    functions: listUsedFunctions(documents),
    fields: listUsedFields(documents, schema, schema.definitions),
  };
  if (judged.kind === "checks")
    return {
      config: { apiVersion, kind: "PreflightCheck", requires, checks: sortNames(judged.ids) },
      name: "checks",
      what: formatCount(judged.ids.length, "check"),
    };
  const { head, entries = [] } = judged.list ?? {};
  const { name = "", date = "", knownUpTo = "", source } = head ?? {};
  const checks = sortNames(entries.map((entry) => entry.name));
  return {
    config: {
      name,
      date,
      apiVersion,
      kind: "KnownBugs",
      knownUpTo,
      requires,
      checks,
      ...(source === undefined ? {} : { source }),
    },
    name: date,
    what: `${formatCount(entries.length, "known bug")} of ${date}`,
  };
}

function isCase(path: string): boolean {
  return path.split("/").slice(0, -1).includes("cases");
}

function parse({ text }: ArtefactFile): readonly Json[] {
  const parsed = parseDocuments(text);
  return parsed.kind === "documents" ? parsed.documents : [];
}
