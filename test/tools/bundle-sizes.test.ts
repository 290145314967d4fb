import assert from "node:assert/strict";
import { test } from "node:test";
import type { Metafile } from "esbuild";
import { withBundleSizes } from "../../tools/pages/bundle-sizes.ts";

const BEGIN = "<!-- Generated from the build by 'npm run generate': don't edit up to the end of sizes. -->";
const PAGE = `above\n\n${BEGIN}\nold\n<!-- end of sizes -->\n\nbelow\n`;

/** Files with their size in the executable in bytes, and their imports. */
const FILES: Readonly<Record<string, readonly [number, ...string[]]>> = {
  "src/main.ts": [60_000, "node_modules/one/index.js", "node_modules/@scope/two/index.js"],
  "node_modules/one/index.js": [14_999, "node_modules/one/part.js", "node_modules/shared/index.js"],
  "node_modules/one/part.js": [1, "node_modules/@scope/two/index.js"],
  "node_modules/@scope/two/index.js": [4_999, "node_modules/shared/index.js", "node_modules/unused/index.js"],
  "node_modules/shared/index.js": [20_000, "node_modules/one/node_modules/deep/index.js"],
  "node_modules/one/node_modules/deep/index.js": [6_000],
  "node_modules/unused/index.js": [0],
};

function buildMetafile(prefix = ""): Metafile {
  const at = (path: string): string => (path.startsWith("src/") ? path : `${prefix}${path}`);
  const entries = Object.entries(FILES);
  return {
    inputs: Object.fromEntries(
      entries.map(([path, [bytes, ...imports]]) => [
        at(path),
        { bytes, imports: imports.map((to) => ({ path: at(to), kind: "import-statement" as const })) },
      ]),
    ),
    outputs: {
      "dist/preflight": {
        bytes: 106_000,
        imports: [],
        exports: [],
        inputs: Object.fromEntries(entries.map(([path, [bytesInOutput]]) => [at(path), { bytesInOutput }])),
      },
    },
  };
}

test("the sizes of a dependency and its imports are rounded, without other dependencies and unused code", () => {
  const page = withBundleSizes(PAGE, buildMetafile(), ["one", "@scope/two"]);
  assert.equal(
    page,
    `above

${BEGIN}

\`dist/preflight\` has about 100 KB minified; about 50 KB of that is this project's own code.

| package | KB | KB of what it imports | imports |
| --- | --- | --- | --- |
| \`@scope/two\` | below 5 | 30 | \`deep\`, \`shared\` |
| \`one\` | 20 | 30 | \`deep\`, \`shared\` |

<!-- end of sizes -->

below
`,
  );
});

test("the page is the same when repeated, and wherever node_modules is", () => {
  const page = withBundleSizes(PAGE, buildMetafile(), ["one", "@scope/two"]);
  assert.equal(withBundleSizes(page, buildMetafile("../elsewhere/"), ["@scope/two", "one"]), page);
});

test("a page without the markers is rejected", () => {
  assert.throws(() => withBundleSizes("above\n", buildMetafile(), ["one"]), /docs\/dependencies\.md lacks the lines/);
});
