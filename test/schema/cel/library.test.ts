import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checkExpression } from "../../../src/schema/cel/check/checker.ts";
import { API_SERVER_MACROS, formatMacroKey } from "../../../src/schema/cel/syntax/macros.ts";
import { getEstimateRules } from "../../../src/schema/cel/cost/coster.ts";
import { FUNCTION_ESTIMATES } from "../../../src/schema/cel/cost/function-estimates.ts";
import { estimateCost } from "../../../src/schema/cel/cost/cost.ts";
import { API_SERVER_FUNCTIONS, API_SERVER_LIBRARIES } from "../../../src/schema/cel/library/api-server.ts";
import type { Library } from "../../../src/schema/cel/runtime/environment.ts";
import { CALL_LIMITS, buildFunctionTable, openActivation } from "../../../src/schema/cel/runtime/environment.ts";
import { compile } from "../../../src/schema/cel/runtime/compiler.ts";
import { valueType } from "../../../src/schema/cel/types/value-type.ts";
import { parseExpression } from "../../../src/schema/cel/syntax/parser.ts";
import { NEWEST_MINOR, type ServerFeature, hasFeature } from "../../../src/schema/openapi/server-features.ts";
import { NO_PROPS } from "../../../src/schema/openapi/schema-props.ts";
import { SHARED } from "../../../verify/api-server/control-plane.ts";

const NAMES = new Set(API_SERVER_LIBRARIES.flatMap(({ functions }) => Object.keys(functions)));

function listOverloads(name: string): readonly (readonly [text: string, ServerFeature])[] {
  return (API_SERVER_FUNCTIONS.find(name) ?? []).map(({ text, feature }) => [text, feature]);
}

function isSince(feature: ServerFeature | undefined, minor: number | undefined): boolean {
  return feature !== undefined && minor !== undefined && hasFeature(feature, minor) && !hasFeature(feature, minor - 1);
}

function hasImplementation(name: string): boolean {
  return API_SERVER_LIBRARIES.some(({ functions }) => functions[name]?.call ?? functions[name]?.compile);
}

test("no two rows declare the same signature, and only what rules can't call or compile as attributes has no implementation", () => {
  const repeated = [...NAMES].filter((name) => {
    const texts = listOverloads(name).map(([text]) => text);
    return new Set(texts).size < texts.length;
  });
  assert.deepEqual(repeated, []);
  assert.deepEqual(
    [...NAMES].filter((name) => !hasImplementation(name)).toSorted(),
    [
      "_?._ _?_:_ _[?_] _[_] allowed check error errored fieldSelector group labelSelector",
      "name namespace path reason resource serviceAccount subresource",
    ].flatMap((names) => names.split(" ")),
  );
});

test("a signature came with its library, unless it says with what else", () => {
  assert.deepEqual(listOverloads("compareTo"), [
    ["kubernetes.Quantity.(kubernetes.Quantity)", "quantities"],
    ["kubernetes.Semver.(kubernetes.Semver)", "semver"],
  ]);
  assert.deepEqual(listOverloads("_[_]").slice(1, 3), [
    ["(map(A, B), A)", "rules"],
    ["(optional_type(list(V)), int)", "optionals"],
  ]);
  assert.deepEqual(listOverloads("format"), [["string.(list(dyn))", "formatting"]]);
});

test("an estimate is of a signature that exists", () => {
  const wrong = FUNCTION_ESTIMATES.flatMap((estimates) =>
    Object.entries(estimates).flatMap(([name, estimate]) => {
      const texts = listOverloads(name).map(([text]) => text);
      const estimated = typeof estimate === "function" ? texts.slice(0, 1) : Object.keys(estimate);
      const unknown = estimated.filter((text) => !texts.includes(text));
      return texts.length === 0 ? [name] : unknown.map((text) => `${name} ${text}`);
    }),
  );
  assert.deepEqual(wrong, []);
});

const OWN: Library = {
  feature: "rules",
  functions: {
    ordinal: {
      types: "(string) int | (int) int",
      call: ([text]) => (typeof text === "string" ? BigInt(text.split(".")[1] ?? "0") : 0n),
      cost: () => 7,
    },
    size: { types: "int.() int", call: ([value = null]) => value },
  },
};

test("a caller has functions of its own, also by the name of another one, in a table that it passes", () => {
  const functions = buildFunctionTable([...API_SERVER_LIBRARIES, OWN]);
  const self = valueType({ ...NO_PROPS, type: "string" }, false, NEWEST_MINOR);
  assert.ok(self);
  const expr = parseExpression("ordinal('4.18') + 'abc'.size() + 2.size()", API_SERVER_MACROS);
  const checked = checkExpression(expr, [["self", self.type]], functions);
  assert.equal(checked.types.get(expr)?.kind, "int");
  assert.equal(estimateCost(checked, self, getEstimateRules(NEWEST_MINOR)), 5);
  const frame = openActivation([], { ...CALL_LIMITS, cost: 100 });
  const environment = { slots: new Map(), size: 0, functions };
  assert.equal(compile(expr, environment)(frame), 23n);
  assert.equal(frame.spent, 11);
  assert.throws(() => checkExpression(expr, [], API_SERVER_FUNCTIONS), /there is no function ordinal/);
  assert.throws(
    () => compile(expr, { ...environment, functions: API_SERVER_FUNCTIONS }),
    /there is no function ordinal of 1 arguments/,
  );
});

test("names a function with its prefix where its number of arguments fits none", () => {
  const environment = { slots: new Map(), size: 0, functions: API_SERVER_FUNCTIONS };
  const expr = parseExpression("sets.contains([1])", API_SERVER_MACROS);
  assert.throws(() => compile(expr, environment), /there is no function sets\.contains of 1 arguments/);
});

/** Libraries that OpenShift's API server has had since an earlier minor. */
const IN_OPENSHIFT: Readonly<Record<string, number>> = { "library.IP": 29, "library.CIDR": 29 };

/** The files that declare the functions of a library, in the packages of the API server and of cel-go. */
const FILES: Readonly<Record<string, string>> = {
  "library.URLs": "urls.go",
  "library.Regex": "regex.go",
  "library.Lists": "lists.go",
  "library.Authz": "authz.go",
  "library.Quantity": "quantity.go",
  "library.IP": "ip.go",
  "library.CIDR": "cidr.go",
  "library.SemverLib": "semverlib.go",
  "ext.Sets": "sets.go",
  "ext.Lists": "lists.go",
};
/** Functions of libraries without such a file. */
const OTHERS: Readonly<Record<string, string>> = {
  "library.Format": "validate",
  "library.AuthzSelectors": "fieldSelector",
  "cel.OptionalTypes": "optional.of",
  "cel.CrossTypeNumericComparisons": "_<_",
  "ext.Strings": "format",
  "ext.TwoVarComprehensions": "cel.@mapInsert",
};
/** They came to a library that was there. */
const LATER = new Map(Object.entries({ error: 28, errored: 28, fieldSelector: 31, labelSelector: 31 }));
const EPOCH = 23;

function findModule(name: string): string | undefined {
  try {
    const options = { cwd: join(SHARED, "oracle"), encoding: "utf8", timeout: 120_000, stdio: "pipe" } as const;
    return execFileSync("go", ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", name], options).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Libraries with the minor that brought them, as base.go lists them. The API server calls the first one "1.0". */
function listLibraries(text: string): readonly (readonly [string, number])[] {
  const code = text.replaceAll(/^\s*\/\/.*$/gm, "");
  return code.split("IntroducedVersion: version.MajorMinor(1, ").flatMap((part) => {
    const minor = Math.max(EPOCH, Number.parseInt(part, 10));
    const names = part.matchAll(/\b(?:library|ext|cel)\.\w+/g);
    return [...names].map(([library]) => [library, minor] as const);
  });
}

function listNames(folder: string, library: string): readonly string[] {
  const text = readFileSync(join(folder, FILES[library] ?? ""), "utf8");
  const declared = text.matchAll(library.startsWith("ext.") ? /Function\("([^"]+)"/g : /^\t+"([\w.]+)": +\{/gm);
  return [...declared].map(([, name = ""]) => name);
}

const MACRO_FILES = { "ext.TwoVarComprehensions": "ext/comprehensions.go", "ext.Lists": "ext/lists.go" };

/** Each macro of the libraries that we don't have, or have of another minor. */
function findMacrosOfOtherMinors(language: string, minors: ReadonlyMap<string, number>): readonly string[] {
  return Object.entries(MACRO_FILES).flatMap(([library, file]) => {
    const declared = [...readFileSync(join(language, file), "utf8").matchAll(/ReceiverMacro\("?(\w+)"?, (\d),/g)];
    assert.ok(declared.length > 0, file);
    return declared
      .map(([, name = "", count]) => formatMacroKey(name, true, Number(count) + 1))
      .filter((key) => !isSince(API_SERVER_MACROS.get(key)?.feature, minors.get(library)));
  });
}

test("functions and macros are as old as the API server's own packages say", (t) => {
  const server = findModule("k8s.io/apiserver");
  const language = findModule("github.com/google/cel-go");
  const base = join(server ?? "", "pkg/cel/environment/base.go");
  if (server === undefined || language === undefined || !existsSync(base))
    return t.skip(
      "there is no ../shared/oracle (set PREFLIGHT_SHARED to its parent folder), or Go has not fetched its packages",
    );
  const libraries = listLibraries(readFileSync(base, "utf8"));
  const wrong = libraries.flatMap(([library, minor]) => {
    const folder = library.startsWith("ext.") ? join(language, "ext") : join(server, "pkg/cel/library");
    const names = FILES[library] === undefined ? [OTHERS[library] ?? []].flat() : listNames(folder, library);
    return names
      .filter(
        (name) =>
          !listOverloads(name).some(([, feature]) =>
            isSince(feature, LATER.get(name) ?? IN_OPENSHIFT[library] ?? minor),
          ),
      )
      .map((name) => `${name} of ${library} 1.${minor}`);
  });
  assert.deepEqual(
    wrong.filter((one) => one !== "format of ext.Strings 1.23"),
    [],
  );
  assert.deepEqual(findMacrosOfOtherMinors(language, new Map(libraries)), []);
  assert.deepEqual(
    [...Object.keys(FILES), ...Object.keys(OTHERS)].filter((name) => !libraries.some(([library]) => library === name)),
    [],
  );
});
