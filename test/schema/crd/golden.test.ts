import { join } from "node:path";
import { testGolden } from "../../support/schema/golden.ts";
import {
  judgeFormat,
  judgeReading,
  judgeSchemaChange,
  judgeStored,
  judgeType,
  judgeWhole,
  judgeWrite,
} from "../../support/schema/judged-object.ts";

const FILES = {
  formats: judgeFormat,
  readings: judgeReading,
  "stored-values": judgeStored,
  "stored-objects": judgeWhole,
  writes: judgeWrite,
  "schema-changes": judgeSchemaChange,
  "value-types": judgeType,
};

for (const [name, judge] of Object.entries(FILES))
  testGolden(join(import.meta.dirname, "golden", `${name}.txt`), judge);
