import { readdirSync } from "node:fs";
import { join } from "node:path";
import { judgeExpression } from "../../support/schema/cel/judged-expression.ts";
import { testGolden } from "../../support/schema/golden.ts";

const GOLDEN = join(import.meta.dirname, "golden");

for (const name of readdirSync(GOLDEN).toSorted()) testGolden(join(GOLDEN, name), judgeExpression);
