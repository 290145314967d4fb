import { join } from "node:path";
import {
  judgeChange,
  judgeField,
  judgeFieldUpdate,
  judgeRoot,
  judgeUpdate,
  judgeVersion,
} from "../../../support/schema/crd/judged-definition.ts";
import { testGolden } from "../../../support/schema/golden.ts";

const FILES = {
  fields: judgeField,
  roots: judgeRoot,
  versions: judgeVersion,
  changes: judgeChange,
  updates: judgeUpdate,
  "field-updates": judgeFieldUpdate,
};

for (const [name, judge] of Object.entries(FILES)) {
  testGolden(join(import.meta.dirname, "golden", `${name}.txt`), judge);
}
