import {
  buildArithmetic,
  buildBinary,
  buildComparison,
  buildLogical,
  buildNotStrictlyFalse,
  buildUnary,
  differ,
  getContainerCost,
  getEqualityCost,
  not,
} from "../runtime/operators.ts";
import { isIn } from "../runtime/selection.ts";
import { negate } from "../values/arithmetic.ts";
import { equal } from "../values/equality.ts";
import { buildApiServerLibrary } from "../runtime/function-table.ts";

const COMPARED =
  "(bool, bool) bool | (int, int) bool | (int, double) bool since mixedNumbers | (int, uint) bool since mixedNumbers | (uint, uint) bool | " +
  "(uint, double) bool since mixedNumbers | (uint, int) bool since mixedNumbers | (double, double) bool | (double, int) bool since mixedNumbers | " +
  "(double, uint) bool since mixedNumbers | (string, string) bool | (bytes, bytes) bool | (timestamp, timestamp) bool | " +
  "(duration, duration) bool";
const MULTIPLIED = "(double, double) double | (int, int) int | (uint, uint) uint";

/** The language's operators, by the names that cel-go gives them. Selections and the conditional are compiled as attributes. */
export const OPERATORS = buildApiServerLibrary("rules", {
  "!_": { types: "(bool) bool", compile: buildUnary(not) },
  "@not_strictly_false": { types: "(bool) bool", compile: buildNotStrictlyFalse },
  "-_": { types: "(double) double | (int) int", compile: buildUnary(negate) },
  "@in": { types: "(A, list(A)) bool | (A, map(A, B)) bool", compile: buildBinary(isIn, getContainerCost) },
  "_!=_": { types: "(A, A) bool", compile: buildBinary(differ, getEqualityCost) },
  "_==_": { types: "(A, A) bool", compile: buildBinary(equal, getEqualityCost) },
  "_%_": { types: "(int, int) int | (uint, uint) uint", compile: buildArithmetic("%") },
  "_&&_": { types: "(bool, bool) bool", compile: buildLogical(false) },
  "_||_": { types: "(bool, bool) bool", compile: buildLogical(true) },
  "_*_": { types: MULTIPLIED, compile: buildArithmetic("*") },
  "_/_": { types: MULTIPLIED, compile: buildArithmetic("/") },
  "_+_": {
    types:
      "(bytes, bytes) bytes | (double, double) double | (duration, duration) duration | " +
      "(duration, timestamp) timestamp | (timestamp, duration) timestamp | (int, int) int | " +
      "(list(A), list(A)) list(A) | (string, string) string | (uint, uint) uint",
    compile: buildArithmetic("+"),
  },
  "_-_": {
    types:
      "(double, double) double | (duration, duration) duration | (int, int) int | " +
      "(timestamp, duration) timestamp | (timestamp, timestamp) duration | (uint, uint) uint",
    compile: buildArithmetic("-"),
  },
  "_<=_": { types: COMPARED, compile: buildComparison((order) => order <= 0) },
  "_<_": { types: COMPARED, compile: buildComparison((order) => order < 0) },
  "_>=_": { types: COMPARED, compile: buildComparison((order) => order >= 0) },
  "_>_": { types: COMPARED, compile: buildComparison((order) => order > 0) },
  "_?_:_": { types: "(bool, A, A) A" },
  "_?._": { types: "(dyn, string) optional_type(V) since optionals" },
  "_[?_]": {
    types:
      "(list(V), int) optional_type(V) since optionals | (optional_type(list(V)), int) optional_type(V) since optionals | " +
      "(map(K, V), K) optional_type(V) since optionals | (optional_type(map(K, V)), K) optional_type(V) since optionals",
  },
  "_[_]": {
    types:
      "(list(A), int) A | (map(A, B), A) B | (optional_type(list(V)), int) optional_type(V) since optionals | " +
      "(optional_type(map(K, V)), K) optional_type(V) since optionals",
  },
});
